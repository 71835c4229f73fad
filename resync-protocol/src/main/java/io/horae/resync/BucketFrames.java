package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage.Accept;
import io.horae.resync.BucketMessage.Answer;
import io.horae.resync.BucketMessage.Cancel;
import io.horae.resync.BucketMessage.Claim;
import io.horae.resync.BucketMessage.Claims;
import io.horae.resync.BucketMessage.Configure;
import io.horae.resync.BucketMessage.Forward;
import io.horae.resync.BucketMessage.Forwarded;
import io.horae.resync.BucketMessage.Items;
import io.horae.resync.BucketMessage.Kind;
import io.horae.resync.BucketMessage.Leaving;
import io.horae.resync.BucketMessage.Offer;
import io.horae.resync.BucketMessage.Outcome;
import io.horae.resync.BucketMessage.Publish;
import io.horae.resync.BucketMessage.Published;
import io.horae.resync.BucketMessage.Receipt;
import io.horae.resync.BucketMessage.Refusal;
import io.horae.resync.BucketMessage.Refuse;
import io.horae.resync.BucketMessage.Request;
import io.horae.resync.BucketMessage.Role;
import io.horae.resync.BucketMessage.Taken;
import io.horae.resync.BucketMessage.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The bytes of messages about buckets, within a frame of the {@link Codec}, whose kinds of value
 * they share.
 *
 * <table>
 *   <caption>The layout</caption>
 *   <tr><th>what</th><th>bytes</th></tr>
 *   <tr><td>32 claims</td><td>view; incarnation: 8 bytes; wanted: bool; list of bucket, role: 1
 *     byte, sequence: varint</td></tr>
 *   <tr><td>33 offer</td><td>view; transfer: varint; bucket; move: bool; sequence:
 *     varint</td></tr>
 *   <tr><td>34 accept</td><td>view; transfer: varint; complete: bool</td></tr>
 *   <tr><td>35 refuse</td><td>view; transfer: varint; reason: 1 byte</td></tr>
 *   <tr><td>36 cancel</td><td>view; transfer: varint</td></tr>
 *   <tr><td>37 items</td><td>view; transfer, window: varint; list of items; list of receipts;
 *     last: bool</td></tr>
 *   <tr><td>38 taken</td><td>view; transfer, next: varint</td></tr>
 *   <tr><td>39 forward</td><td>view; transfer: varint; mask; epoch, committed: varint; list of
 *     writes</td></tr>
 *   <tr><td>40 forwarded</td><td>view; transfer: varint; mask; epoch, sequence: varint</td></tr>
 *   <tr><td>41 last, 42 configure</td><td>view; transfer: varint; bucket; sequence:
 *     varint</td></tr>
 *   <tr><td>43 publish</td><td>view; number: varint; list of buckets</td></tr>
 *   <tr><td>44 published</td><td>view; number: varint</td></tr>
 *   <tr><td>45 request</td><td>client: 8 bytes; number, oldest: varint; kind: 1 byte; mask; epoch:
 *     varint; hash: 8 bytes; key, value: count, bytes</td></tr>
 *   <tr><td>46 answer</td><td>client: 8 bytes; number: varint; outcome: 1 byte; value: count,
 *     bytes; version; list of buckets</td></tr>
 *   <tr><td>47 leaving</td><td>view</td></tr>
 *   <tr><td>view</td><td>epoch: varint; id: 8 bytes</td></tr>
 *   <tr><td>mask</td><td>digits: 1 byte; value: varint</td></tr>
 *   <tr><td>bucket</td><td>mask; node; list of nodes; epoch: varint</td></tr>
 *   <tr><td>node</td><td>an entry, as in the other messages: the id alone</td></tr>
 *   <tr><td>version</td><td>epoch, sequence: varint</td></tr>
 *   <tr><td>item</td><td>hash: 8 bytes; key, value: count, bytes; version</td></tr>
 *   <tr><td>receipt</td><td>client: 8 bytes; oldest, number: varint; hash: 8 bytes;
 *     version</td></tr>
 *   <tr><td>write</td><td>kind: 1 byte; version; hash: 8 bytes; key, value: count, bytes; client: 8
 *     bytes; number, oldest: varint</td></tr>
 * </table>
 */
final class BucketFrames {

  static final int FIRST = 32;
  static final int LAST = 47;

  private static final int CLAIMS = 32;
  private static final int OFFER = 33;
  private static final int ACCEPT = 34;
  private static final int REFUSE = 35;
  private static final int CANCEL = 36;
  private static final int ITEMS = 37;
  private static final int TAKEN = 38;
  private static final int FORWARD = 39;
  private static final int FORWARDED = 40;
  private static final int LAST_ITEM = 41;
  private static final int CONFIGURE = 42;
  private static final int PUBLISH = 43;
  private static final int PUBLISHED = 44;
  private static final int REQUEST = 45;
  private static final int ANSWER = 46;
  private static final int LEAVING = 47;

  // Each at its number.
  private static final List<Role> ROLES = List.of(Role.PRIMARY, Role.YIELDING, Role.COPY);
  private static final List<Refusal> REFUSALS =
      List.of(Refusal.BUSY, Refusal.EPOCH_BEHIND, Refusal.UNKNOWN, Refusal.NOT_OWNED);
  private static final List<Kind> KINDS = List.of(Kind.PUT, Kind.DELETE, Kind.GET);
  private static final List<Outcome> OUTCOMES =
      List.of(
          Outcome.FOUND,
          Outcome.ABSENT,
          Outcome.DONE,
          Outcome.NOT_MINE,
          Outcome.RETRY,
          Outcome.TOO_LARGE);

  // The least bytes of one, by which the counts of lists are bounded.
  private static final int BUCKET_BYTES_LEAST = 5;
  private static final int CLAIM_BYTES_LEAST = BUCKET_BYTES_LEAST + 2;
  private static final int ITEM_BYTES_LEAST = 12;
  private static final int RECEIPT_BYTES_LEAST = 20;
  private static final int WRITE_BYTES_LEAST = 23;

  private BucketFrames() {}

  /** Writes what follows magic and version. */
  static final class Encoder {

    private final ByteWriter out;
    private final Map<String, Integer> nodes = new HashMap<>();

    Encoder(ByteWriter out) {
      this.out = out;
    }

    void message(BucketMessage message) {
      if (message instanceof Forward forward) {
        head(FORWARD, forward.view(), forward.transfer());
        mask(forward.bucket());
        out.varint(forward.epoch());
        out.varint(forward.committed());
        list(forward.writes(), this::write);
      } else if (message instanceof Forwarded forwarded) {
        head(FORWARDED, forwarded.view(), forwarded.transfer());
        mask(forwarded.bucket());
        out.varint(forwarded.epoch());
        out.varint(forwarded.sequence());
      } else if (message instanceof Items items) {
        head(ITEMS, items.view(), items.transfer());
        out.varint(items.window());
        list(items.items(), this::item);
        list(items.receipts(), this::receipt);
        bool(items.last());
      } else if (message instanceof Taken taken) {
        head(TAKEN, taken.view(), taken.transfer());
        out.varint(taken.next());
      } else if (message instanceof Request request) {
        request(request);
      } else if (message instanceof Answer answer) {
        answer(answer);
      } else {
        seldom(message);
      }
    }

    private void seldom(BucketMessage message) {
      if (message instanceof Claims claims) {
        out.uint8(CLAIMS);
        view(claims.view());
        out.fixed64(claims.incarnation());
        bool(claims.wanted());
        list(claims.claims(), this::claim);
      } else if (message instanceof Offer offer) {
        head(OFFER, offer.view(), offer.transfer());
        bucket(offer.bucket());
        bool(offer.move());
        out.varint(offer.sequence());
      } else if (message instanceof Accept accept) {
        head(ACCEPT, accept.view(), accept.transfer());
        bool(accept.complete());
      } else if (message instanceof Refuse refuse) {
        head(REFUSE, refuse.view(), refuse.transfer());
        out.uint8(REFUSALS.indexOf(refuse.reason()));
      } else if (message instanceof Cancel cancel) {
        head(CANCEL, cancel.view(), cancel.transfer());
      } else if (message instanceof BucketMessage.Last last) {
        head(LAST_ITEM, last.view(), last.transfer());
        bucket(last.bucket());
        out.varint(last.sequence());
      } else if (message instanceof Configure configure) {
        head(CONFIGURE, configure.view(), configure.transfer());
        bucket(configure.bucket());
        out.varint(configure.sequence());
      } else if (message instanceof Publish publish) {
        head(PUBLISH, publish.view(), publish.number());
        list(publish.entries(), this::bucket);
      } else if (message instanceof Published published) {
        head(PUBLISHED, published.view(), published.number());
      } else if (message instanceof Leaving leaving) {
        out.uint8(LEAVING);
        view(leaving.view());
      } else {
        throw new AssertionError("a message without a type: " + message);
      }
    }

    private void request(Request request) {
      out.uint8(REQUEST);
      out.fixed64(request.client());
      out.varint(request.number());
      out.varint(request.oldest());
      out.uint8(KINDS.indexOf(request.kind()));
      mask(request.bucket());
      out.varint(request.epoch());
      out.fixed64(request.hash());
      out.bytes(request.key());
      out.bytes(request.value());
    }

    private void answer(Answer answer) {
      out.uint8(ANSWER);
      out.fixed64(answer.client());
      out.varint(answer.number());
      out.uint8(OUTCOMES.indexOf(answer.outcome()));
      out.bytes(answer.value());
      version(answer.version());
      list(answer.entries(), this::bucket);
    }

    private void head(int type, ViewStamp view, long number) {
      out.uint8(type);
      view(view);
      out.varint(number);
    }

    private void view(ViewStamp view) {
      out.varint(view.epoch());
      out.fixed64(view.id());
    }

    private void bool(boolean value) {
      out.uint8(value ? 1 : 0);
    }

    private void mask(HashMask mask) {
      out.uint8(mask.digits());
      out.varint(mask.value());
    }

    private void bucket(Bucket bucket) {
      mask(bucket.mask());
      node(bucket.primary());
      list(bucket.backups(), this::node);
      out.varint(bucket.epoch());
    }

    private void node(Node node) {
      int unused = nodes.size();
      Integer index = nodes.putIfAbsent(node.id(), unused);
      out.varint(index == null ? unused : index);
      if (index == null) {
        out.text(node.id());
      }
    }

    private void claim(Claim claim) {
      bucket(claim.bucket());
      out.uint8(ROLES.indexOf(claim.role()));
      out.varint(claim.sequence());
    }

    private void version(ItemVersion version) {
      out.varint(version.epoch());
      out.varint(version.sequence());
    }

    private void item(Item item) {
      out.fixed64(item.hash());
      out.bytes(item.key());
      out.bytes(item.value());
      version(item.version());
    }

    private void receipt(Receipt receipt) {
      out.fixed64(receipt.client());
      out.varint(receipt.oldest());
      out.varint(receipt.number());
      out.fixed64(receipt.hash());
      version(receipt.version());
    }

    private void write(Write write) {
      out.uint8(KINDS.indexOf(write.kind()));
      version(write.version());
      out.fixed64(write.hash());
      out.bytes(write.key());
      out.bytes(write.value());
      out.fixed64(write.client());
      out.varint(write.number());
      out.varint(write.oldest());
    }

    private <T> void list(List<T> values, Consumer<? super T> write) {
      out.varint(values.size());
      values.forEach(write);
    }
  }

  /** Reads what follows the type; {@link IllegalArgumentException} if it is none. */
  static final class Decoder {

    private final ByteReader in;
    private final List<Node> nodes = new ArrayList<>();

    Decoder(ByteReader in) {
      this.in = in;
    }

    BucketMessage message(int type) {
      return switch (type) {
        case CLAIMS ->
            new Claims(view(), in.fixed64(), in.bool(), list(CLAIM_BYTES_LEAST, this::claim));
        case OFFER -> new Offer(view(), in.varint(), bucket(), in.bool(), in.varint());
        case ACCEPT -> new Accept(view(), in.varint(), in.bool());
        case REFUSE -> new Refuse(view(), in.varint(), one(REFUSALS));
        case CANCEL -> new Cancel(view(), in.varint());
        case ITEMS ->
            new Items(
                view(),
                in.varint(),
                in.varint(),
                list(ITEM_BYTES_LEAST, this::item),
                list(RECEIPT_BYTES_LEAST, this::receipt),
                in.bool());
        case TAKEN -> new Taken(view(), in.varint(), in.varint());
        case FORWARD ->
            new Forward(
                view(),
                in.varint(),
                mask(),
                in.varint(),
                in.varint(),
                list(WRITE_BYTES_LEAST, this::write));
        case FORWARDED -> new Forwarded(view(), in.varint(), mask(), in.varint(), in.varint());
        case LAST_ITEM -> new BucketMessage.Last(view(), in.varint(), bucket(), in.varint());
        case CONFIGURE -> new Configure(view(), in.varint(), bucket(), in.varint());
        case PUBLISH -> new Publish(view(), in.varint(), buckets());
        case PUBLISHED -> new Published(view(), in.varint());
        case REQUEST ->
            new Request(
                in.fixed64(),
                in.varint(),
                in.varint(),
                one(KINDS),
                mask(),
                in.varint(),
                in.fixed64(),
                in.bytes(),
                in.bytes());
        case ANSWER ->
            new Answer(in.fixed64(), in.varint(), one(OUTCOMES), in.bytes(), version(), buckets());
        case LEAVING -> new Leaving(view());
        default -> throw new AssertionError("a type without a message: " + type);
      };
    }

    private ViewStamp view() {
      return new ViewStamp(in.varint(), in.fixed64());
    }

    private HashMask mask() {
      int digits = in.uint8();
      HashMask whole = HashMask.of(-1, digits);
      return new HashMask(whole.mask(), in.varint());
    }

    private Bucket bucket() {
      return new Bucket(mask(), node(), list(1, this::node), in.varint());
    }

    private List<Bucket> buckets() {
      return list(BUCKET_BYTES_LEAST, this::bucket);
    }

    private Node node() {
      int index = in.varint(nodes.size());
      if (index == nodes.size()) {
        nodes.add(Node.of(in.text()));
      }
      return nodes.get(index);
    }

    private Claim claim() {
      return new Claim(bucket(), one(ROLES), in.varint());
    }

    private ItemVersion version() {
      return new ItemVersion(in.varint(), in.varint());
    }

    private Item item() {
      return new Item(in.fixed64(), in.bytes(), in.bytes(), version());
    }

    private Receipt receipt() {
      return new Receipt(in.fixed64(), in.varint(), in.varint(), in.fixed64(), version());
    }

    private Write write() {
      return new Write(
          one(KINDS),
          version(),
          in.fixed64(),
          in.bytes(),
          in.bytes(),
          in.fixed64(),
          in.varint(),
          in.varint());
    }

    private <T> T one(List<T> values) {
      int number = in.uint8();
      if (number >= values.size()) {
        throw new IllegalArgumentException("none of " + values + ": " + number);
      }
      return values.get(number);
    }

    private <T> List<T> list(int bytesLeast, Supplier<T> read) {
      int count = in.count(bytesLeast);
      List<T> values = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        values.add(read.get());
      }
      return values;
    }
  }
}
