/** Where keys live. */
@NullMarked
package io.horae.placement;

import org.jspecify.annotations.NullMarked;
