/**
 * The report of a run as one HTML file that needs nothing else: {@link
 * io.horae.examples.report.Run} is what happened, {@link io.horae.examples.report.Report} the page,
 * and each picture is a class that draws it as SVG.
 */
@NullMarked
package io.horae.examples.report;

import org.jspecify.annotations.NullMarked;
