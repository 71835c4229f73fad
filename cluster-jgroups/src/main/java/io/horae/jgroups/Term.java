package io.horae.jgroups;

import org.jgroups.Address;
import org.jgroups.View;
import org.jgroups.util.UUID;

/**
 * A JGroups view, by its number and who made it. The views that a member goes through have rising
 * numbers, and members that have a view of one term have the same members in the same order.
 *
 * @param number the view's number
 * @param most of the address of the member that made it
 * @param least of that address
 */
record Term(long number, long most, long least) {

  static Term of(View view) {
    UUID creator = uuid(view.getCreator());
    return new Term(
        view.getViewId().getId(),
        creator.getMostSignificantBits(),
        creator.getLeastSignificantBits());
  }

  private static UUID uuid(Address address) {
    if (address instanceof UUID uuid) {
      return uuid;
    }
    throw new IllegalStateException("addresses must be JGroups UUIDs: " + address);
  }
}
