package io.horae.testkit;

import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import java.util.List;

class RendezvousContractTest extends PlacementContract {

  @Override
  protected Placement placement(List<Node> nodes) {
    return RendezvousPlacement.of(nodes);
  }
}
