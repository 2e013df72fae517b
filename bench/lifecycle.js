'use strict';

/** Clean-up steps, run in reverse order at the end. */
const undo = [];

const say = (text) => void process.stderr.write(`${text}\n`);

function atEnd(step) {
  undo.push(step);
}

/** Awaits a resource and releases it at the end, even if the benchmark ends before it has started. */
function acquire(starting, release) {
  undo.push(() => starting.then(release, () => undefined));
  return starting;
}

let cleaning;
const cleanUp = () =>
  (cleaning ??= (async () => {
    for (const step of undo.reverse()) {
      try {
        await step();
      } catch (error) {
        say(String(error));
      }
    }
  })());

/** Runs a benchmark and cleans up, however it ends. */
function runToTheEnd(main) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => void cleanUp().finally(() => process.exit(130)));
  main()
    .catch((error) => {
      if (!cleaning) say(`The benchmark failed: ${error.stack}`);
      process.exitCode = 1;
    })
    .finally(cleanUp);
}

module.exports = { acquire, atEnd, runToTheEnd, say };
