package io.horae.resync;

import io.horae.timer.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What nodes say to each other. Values; the times in their records count from the sender's now. Any
 * of them may be lost, come twice or late.
 */
public sealed interface Message
    permits Message.Replicate,
        Message.Acknowledge,
        Message.FetchPage,
        Message.Page,
        Message.FetchTimers,
        Message.Offer,
        Message.Refer,
        Message.Retire,
        Message.Processed,
        Message.Rejected,
        BucketMessage {

  /**
   * "Know these timers." Sent when a timer is created, changed, deleted or has popped, and to
   * answer {@link FetchTimers}.
   *
   * @param operation the sender's number for it, to be acknowledged; 0 if no answer is wanted
   * @param records the timers
   */
  record Replicate(long operation, List<TimerRecord> records) implements Message {
    /**
     * Copies the list.
     *
     * @param operation the sender's number for it, to be acknowledged; 0 if no answer is wanted
     * @param records the timers
     */
    public Replicate {
      records = List.copyOf(records);
    }
  }

  /**
   * "Of your operation, this is what I know now."
   *
   * @param operation the operation's number
   * @param empty whether the answering node has nothing from before: there may be later changes
   *     that it has yet to hear of
   * @param known what the answering node knows of each timer, whether or not it keeps it
   */
  record Acknowledge(long operation, boolean empty, List<Reference> known) implements Message {
    /**
     * Copies the list.
     *
     * @param operation the operation's number
     * @param empty whether the answering node has nothing from before: there may be later changes
     *     that it has yet to hear of
     * @param known what the answering node knows of each timer, whether or not it keeps it
     */
    public Acknowledge {
      known = List.copyOf(known);
    }
  }

  /**
   * "Which of your timers am I a replica of, under this view?"
   *
   * @param request the asker's number for it
   * @param view the view that both must have
   * @param extent which of them
   * @param from where to begin; what an earlier {@link Page} said, else {@link Cursor#START}
   * @param limit how many timers to send at most, at least 1
   */
  record FetchPage(long request, ViewStamp view, Extent extent, Cursor from, int limit)
      implements Message {}

  /** Which of its timers a node asks for. */
  enum Extent {
    /** Those that it becomes a replica of, or whose other replicas change, by the view. */
    CHANGES,
    /** All, as it has nothing. */
    EVERYTHING,
    /** All, as it may have missed some, maybe while it was away: references will do to find out. */
    CHECK
  }

  /**
   * "Of these." Records of the timers that the asker cannot have yet, if it falls to the answering
   * node to send them; references to the others.
   *
   * @param request the asker's number
   * @param view the view
   * @param records timers with the replicas that they had until now
   * @param references timers that the asker has, or gets from another node
   * @param next where to go on; null if that was all
   */
  record Page(
      long request,
      ViewStamp view,
      List<TimerRecord> records,
      List<Reference> references,
      @Nullable Cursor next)
      implements Message {
    /**
     * Copies the lists.
     *
     * @param request the asker's number
     * @param view the view
     * @param records timers with the replicas that they had until now
     * @param references timers that the asker has, or gets from another node
     * @param next where to go on; null if that was all
     */
    public Page {
      records = List.copyOf(records);
      references = List.copyOf(references);
    }
  }

  /**
   * "Send me these." Answered by {@link Replicate}.
   *
   * @param ids the timers
   */
  record FetchTimers(List<Long> ids) implements Message {
    /**
     * Copies the list.
     *
     * @param ids the timers
     */
    public FetchTimers {
      ids = List.copyOf(ids);
    }
  }

  /**
   * "I hold these, and you are their replica under this view: do you?" Answered by {@link
   * Processed} and, for those that are missing, {@link FetchTimers}.
   *
   * @param view the view
   * @param references the timers
   */
  record Offer(ViewStamp view, List<Reference> references) implements Message {
    /**
     * Copies the list.
     *
     * @param view the view
     * @param references the timers
     */
    public Offer {
      references = List.copyOf(references);
    }
  }

  /**
   * "I act for these under this view, and you rank behind me: know your place." To a replica that
   * has the record already.
   *
   * @param view the view
   * @param references the timers
   */
  record Refer(ViewStamp view, List<Reference> references) implements Message {
    /**
     * Copies the list.
     *
     * @param view the view
     * @param references the timers
     */
    public Refer {
      references = List.copyOf(references);
    }
  }

  /**
   * "I act for these under this view in your place; you are no longer their replica." The timers
   * live on: this is no word about their end.
   *
   * @param view the view
   * @param references the timers
   */
  record Retire(ViewStamp view, List<Reference> references) implements Message {
    /**
     * Copies the list.
     *
     * @param view the view
     * @param references the timers
     */
    public Retire {
      references = List.copyOf(references);
    }
  }

  /**
   * "I hold these, as their replica under this view." Whoever holds a timer that is no longer its
   * own lets it go when it has this from all replicas.
   *
   * @param view the view
   * @param references the timers
   */
  record Processed(ViewStamp view, List<Reference> references) implements Message {
    /**
     * Copies the list.
     *
     * @param view the view
     * @param references the timers
     */
    public Processed {
      references = List.copyOf(references);
    }
  }

  /**
   * "I can't answer that."
   *
   * @param request the asker's number
   * @param reason why
   * @param view the view of the node that says so
   */
  record Rejected(long request, Reason reason, ViewStamp view) implements Message {}

  /** Why a request is rejected. */
  enum Reason {
    /** The asker's view is older: it will hear of the newer one. */
    VIEW_BEHIND,
    /** The asker's view is newer: this node will hear of it. */
    VIEW_AHEAD,
    /** The two have different views of one epoch: whoever decides on membership is at fault. */
    VIEW_DIFFERS,
    /** Not now; ask again. */
    BUSY,
    /** It makes no sense. */
    MALFORMED
  }
}
