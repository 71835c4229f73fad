package io.horae.testkit;

import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import io.horae.placement.TabulatedPlacement;
import java.util.List;

class TabulatedContractTest extends PlacementContract {

  @Override
  protected Placement placement(List<Node> nodes) {
    return TabulatedPlacement.of(RendezvousPlacement.of(nodes));
  }
}
