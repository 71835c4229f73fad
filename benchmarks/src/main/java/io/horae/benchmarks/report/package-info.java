/**
 * From results to pages: {@link io.horae.benchmarks.report.Figure} is one result, {@link
 * io.horae.benchmarks.report.Question} what it answers, {@link io.horae.benchmarks.report.Report}
 * the page with the tables, {@link io.horae.benchmarks.report.LineChart} and {@link
 * io.horae.benchmarks.report.BarChart} the drawings.
 */
package io.horae.benchmarks.report;
