package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.placement.Bucket;
import io.horae.placement.Node;
import java.util.List;
import java.util.stream.Collectors;

/** Puts what is said about buckets into words. */
final class BucketWording {

  private static final int SHOWN_MAX = 4;

  private BucketWording() {}

  /** An epoch, or the number of a transfer: the view it began in, and the count since then. */
  static String epoch(long epoch) {
    long count = epoch & ((1L << BucketSeat.CHANGES_PER_VIEW_BITS) - 1);
    return (epoch >> BucketSeat.CHANGES_PER_VIEW_BITS) + "." + count;
  }

  static String bucket(Bucket bucket) {
    return bucket.mask()
        + " "
        + bucket.primary().id()
        + bucket.backups().stream().map(Node::id).map("<"::concat).collect(Collectors.joining())
        + " @"
        + epoch(bucket.epoch());
  }

  static String buckets(List<Bucket> buckets) {
    return buckets.size() > SHOWN_MAX
        ? buckets.size() + " buckets"
        : buckets.stream().map(BucketWording::bucket).collect(Collectors.joining(", "));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  private static String write(BucketMessage.Write write) {
    return "#"
        + write.version().sequence()
        + switch (write.kind()) {
          case PUT -> " put " + text(write.key()) + " " + text(write.value());
          case DELETE -> " delete " + text(write.key());
          case GET -> " a mark for a read";
        };
  }

  static String message(BucketMessage message) {
    if (message instanceof BucketMessage.Claims claims) {
      return "claims" + (claims.wanted() ? ", and yours?" : "") + ": " + claims(claims.claims());
    } else if (message instanceof BucketMessage.Offer offer) {
      return "offer "
          + epoch(offer.transfer())
          + ", to be "
          + (offer.move() ? "primary" : "backup")
          + ": "
          + bucket(offer.bucket())
          + " #"
          + offer.sequence();
    } else if (message instanceof BucketMessage.Accept accept) {
      return "accept " + epoch(accept.transfer()) + (accept.complete() ? ", has it" : "");
    } else if (message instanceof BucketMessage.Refuse refuse) {
      return "refuse " + epoch(refuse.transfer()) + ": " + refuse.reason();
    } else if (message instanceof BucketMessage.Cancel cancel) {
      return "cancel " + epoch(cancel.transfer());
    } else if (message instanceof BucketMessage.Items items) {
      return "items "
          + epoch(items.transfer())
          + ", window "
          + items.window()
          + ": "
          + items.items().stream().map(item -> text(item.key())).toList()
          + (items.receipts().isEmpty() ? "" : " and " + items.receipts().size() + " receipts")
          + (items.last() ? ", no more" : "");
    } else if (message instanceof BucketMessage.Taken taken) {
      return "taken " + epoch(taken.transfer()) + " up to window " + taken.next();
    } else if (message instanceof BucketMessage.Forward forward) {
      return "forward "
          + forward.bucket()
          + " @"
          + epoch(forward.epoch())
          + (forward.transfer() == 0 ? "" : " in " + epoch(forward.transfer()))
          + ": "
          + forward.writes().stream().map(BucketWording::write).collect(Collectors.joining(", "))
          + " (committed #"
          + forward.committed()
          + ")";
    } else if (message instanceof BucketMessage.Forwarded forwarded) {
      return "has "
          + forwarded.bucket()
          + " @"
          + epoch(forwarded.epoch())
          + (forwarded.transfer() == 0 ? "" : " in " + epoch(forwarded.transfer()))
          + " up to #"
          + forwarded.sequence();
    } else if (message instanceof BucketMessage.Last last) {
      return "last item of "
          + epoch(last.transfer())
          + ": "
          + bucket(last.bucket())
          + " #"
          + last.sequence();
    } else if (message instanceof BucketMessage.Configure configure) {
      return "be backup: " + bucket(configure.bucket()) + " #" + configure.sequence();
    } else if (message instanceof BucketMessage.Publish publish) {
      return "changed: " + buckets(publish.entries());
    } else if (message instanceof BucketMessage.Published) {
      return "knows";
    } else if (message instanceof BucketMessage.Leaving) {
      return "leaves";
    } else if (message instanceof BucketMessage.Request request) {
      return request.kind().toString().toLowerCase(java.util.Locale.ROOT)
          + " "
          + text(request.key())
          + (request.value().length == 0 ? "" : " " + text(request.value()))
          + " ("
          + request.number()
          + ", by "
          + request.bucket()
          + " @"
          + epoch(request.epoch())
          + ")";
    } else if (message instanceof BucketMessage.Answer answer) {
      return "("
          + answer.number()
          + ") "
          + answer.outcome()
          + (answer.value().length == 0 ? "" : " " + text(answer.value()))
          + (answer.entries().isEmpty() ? "" : ": " + buckets(answer.entries()));
    }
    throw new IllegalArgumentException("no words for " + message);
  }

  private static String claims(List<BucketMessage.Claim> claims) {
    if (claims.size() > SHOWN_MAX) {
      return claims.size() + " buckets";
    }
    return claims.isEmpty()
        ? "nothing"
        : claims.stream()
            .map(claim -> claim.role() + " of " + bucket(claim.bucket()) + " #" + claim.sequence())
            .collect(Collectors.joining(", "));
  }

  static String event(BucketEvent event) {
    if (event instanceof BucketEvent.Ready) {
      return "ready";
    } else if (event instanceof BucketEvent.Changed changed) {
      return "tells its clients: " + buckets(changed.entries());
    } else if (event instanceof BucketEvent.TransferBegun begun) {
      return "begins to send "
          + begun.bucket()
          + " to "
          + begun.to()
          + (begun.move() ? "" : ", to be its backup");
    } else if (event instanceof BucketEvent.TransferEnded ended) {
      return (ended.success() ? "has sent " : "has failed to send ")
          + ended.bucket()
          + " to "
          + ended.to()
          + ", "
          + ended.items()
          + " items";
    } else if (event instanceof BucketEvent.TakenOver taken) {
      return "takes over " + bucket(taken.bucket());
    } else if (event instanceof BucketEvent.BegunEmpty begun) {
      return "begins " + bucket(begun.bucket());
    } else if (event instanceof BucketEvent.Forgotten forgotten) {
      return "forgets " + forgotten.bucket();
    } else if (event instanceof BucketEvent.Drained) {
      return "is drained";
    } else if (event instanceof BucketEvent.Restarted restarted) {
      return "sees that " + restarted.server() + " has started anew: a view must follow";
    } else if (event instanceof BucketEvent.LimitReached limit) {
      return "reaches " + limit.option() + " " + limit.limit();
    } else if (event instanceof BucketEvent.ViewRefused refused) {
      return "refuses view " + refused.view().epoch();
    }
    throw new IllegalArgumentException("no words for " + event);
  }

  static String result(BucketResult result) {
    return "("
        + result.number()
        + ") is over: "
        + result.outcome()
        + (result.value().length == 0 ? "" : " " + text(result.value()))
        + (result.hops() == 0 ? "" : " after " + result.hops() + " hops");
  }
}
