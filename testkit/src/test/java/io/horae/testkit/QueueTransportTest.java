package io.horae.testkit;

class QueueTransportTest extends QueueTransport {}
