package io.horae.jgroups;

import io.horae.resync.Statistics;

/**
 * What a host and its node have done, at one moment. Messages that were dropped are no harm by
 * themselves: nodes say again what matters.
 *
 * @param node what the node holds and has done
 * @param epoch the epoch of the node's view; 0 before the first
 * @param messagesSent the messages handed to JGroups
 * @param bytesSent their bytes, without JGroups' headers
 * @param messagesUnsendable those to nodes that are not in the view, or that JGroups refused
 * @param messagesReceived the messages handed to the node
 * @param messagesDropped those that came while the node had too much to do
 * @param framesMalformed frames that were no messages
 * @param framesUnknown frames that a later release wrote
 * @param framesFromStrangers messages of members that are not in the view
 * @param clientCallsRefused clients' calls that came while the node had too much to do
 * @param popsRefused pops that could not be handed to the executor
 * @param popsThrown pops whose handler threw
 * @param inputsFailed inputs at which the node, its store or what is called by it threw
 * @param listenerFailures events at which the listener threw
 */
public record HostStatistics(
    Statistics node,
    long epoch,
    long messagesSent,
    long bytesSent,
    long messagesUnsendable,
    long messagesReceived,
    long messagesDropped,
    long framesMalformed,
    long framesUnknown,
    long framesFromStrangers,
    long clientCallsRefused,
    long popsRefused,
    long popsThrown,
    long inputsFailed,
    long listenerFailures) {}
