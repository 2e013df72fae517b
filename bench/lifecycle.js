'use strict';

/** What has to be undone at the end, latest first. */
const undo = [];

const say = (text) => void process.stderr.write(`${text}\n`);

function atEnd(step) {
  undo.push(step);
}

/** Waits for something to start, and sees to its end, which may come before it has started. */
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

/** Runs a benchmark and, however it ends, undoes what it did. */
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
