package io.horae.testkit;

import io.horae.placement.SeededHash;

class Murmur3ContractTest extends SeededHashContract {

  @Override
  protected SeededHash hash() {
    return SeededHash.murmur3();
  }
}
