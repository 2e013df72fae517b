const { TestEnvironment } = require('jest-environment-node');

/** What jest-circus keeps on the global object for one test file. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

const worker = { environment: undefined };

/**
 * The worker's own global object, for all its test files. Modules that they share can only live in one, and in a context
 * of `node:vm` each access to a global such as `Promise` takes many times as long.
 */
module.exports = class SharedEnvironment extends TestEnvironment {
  constructor(config, context) {
    if (worker.environment) return worker.environment;
    super(config, context);
    Object.assign(worker, { environment: this });
    this.global = globalThis;
    this.fakeTimers = null;
    this.fakeTimersModern = new this.fakeTimersModern.constructor({
      config: config.projectConfig,
      global: globalThis,
    });
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    const { exit, getBuiltinModule, env } = process;
    this.atStart = { console, exit, getBuiltinModule, variables: { ...env } };
  }

  async setup() {
    // Jest replaces it by one that stops working at the end of the test file.
    process.getBuiltinModule = this.atStart.getBuiltinModule;
    // Jest's 100 frames make every error of a worker slow.
    Error.stackTraceLimit = 25;
  }

  /** Ends what one test file may have left to the next. */
  async teardown() {
    this.fakeTimersModern.dispose();
    globalThis[TIMEOUT] = undefined;
    globalThis[EVENT_HANDLERS] = undefined;
    globalThis.console = this.atStart.console;
    process.exit = this.atStart.exit;
    for (const name of Object.keys(process.env))
      if (!(name in this.atStart.variables)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, this.atStart.variables);
  }
};
