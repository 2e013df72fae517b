'use strict';

/** @typedef {{ perSecond: number, medianMs: number, p99Ms: number }} Measurement of one round */

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Medians over the rounds. Ratios are taken within each round, so that a temporary slowdown of the machine affects both
 * servers and cancels out.
 *
 * @param {{ floor: Measurement, gala: Measurement }[]} rounds
 */
function summarize(rounds) {
  const of = (name) => ({
    medianMs: rounded(median(rounds.map((round) => round[name].medianMs))),
    p99Ms: rounded(median(rounds.map((round) => round[name].p99Ms))),
    perSecond: Math.round(median(rounds.map((round) => round[name].perSecond))),
  });
  const ratios = rounds.map(({ floor, gala }) => gala.perSecond / floor.perSecond);
  return { ratio: rounded(median(ratios)), floor: of('floor'), gala: of('gala') };
}

/** @param {number[]} milliseconds */
function quantiles(milliseconds) {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const quantile = (share) => sorted[Math.floor((sorted.length - 1) * share)];
  return { medianMs: quantile(0.5), p99Ms: quantile(0.99) };
}

/** @param {Record<string, ReturnType<typeof summarize>>} operations */
function table(operations) {
  const rows = [['', '', 'median ms', 'p99 ms', 'requests/s', 'gala/floor']];
  for (const [operation, { ratio, ...servers }] of Object.entries(operations)) {
    for (const [name, { medianMs, p99Ms, perSecond }] of Object.entries(servers)) {
      const isGala = name === 'gala';
      rows.push([
        isGala ? '' : operation,
        name,
        medianMs.toFixed(2),
        p99Ms.toFixed(2),
        String(perSecond),
        isGala ? ratio.toFixed(2) : '',
      ]);
    }
  }
  return aligned(rows, 2);
}

/** Aligns columns: the first `left` ones to the left, the others to the right. */
function aligned(rows, left) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const cellOf = (cell, column) =>
    column < left ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  return rows.map((row) => row.map(cellOf).join('  ').trimEnd()).join('\n');
}

function rounded(number) {
  return Math.round(number * 1000) / 1000;
}

module.exports = { aligned, median, quantiles, rounded, summarize, table };
