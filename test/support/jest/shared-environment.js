const { TestEnvironment } = require('jest-environment-node');

/** What jest-circus keeps on the global object for one test file. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

const worker = { environment: undefined };

/** One global object for all test files of a worker, since modules that they share can only live in one. */
module.exports = class SharedEnvironment extends TestEnvironment {
  constructor(config, context) {
    if (worker.environment) return worker.environment;
    super(config, context);
    Object.assign(worker, { environment: this });
    const { process } = this.global;
    this.atStart = { exit: process.exit, variables: { ...process.env } };
  }

  /** Ends what one test file may have left to the next. */
  async teardown() {
    const { process } = this.global;
    this.fakeTimersModern.dispose();
    this.global[TIMEOUT] = undefined;
    this.global[EVENT_HANDLERS] = undefined;
    process.exit = this.atStart.exit;
    for (const name of Object.keys(process.env))
      if (!(name in this.atStart.variables)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, this.atStart.variables);
    this._globalProxy.leftovers = [];
  }
};
