const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** Evaluated modules by path, and where their source maps are: for as long as the worker lives. */
const modules = new Map();
const sourceMaps = new Map();
const worker = { runtime: undefined };

/**
 * Evaluates Nest, TypeORM and our sources once for each worker instead of once for each test file. A test file itself is
 * evaluated anew, so what it must not share with the next one belongs into it, or is restored in `afterAll`.
 */
module.exports = class SharedRuntime extends Runtime {
  constructor(...parameters) {
    super(...parameters);
    const { watch, watchAll } = parameters.at(-1);
    this.isWatching = watch || watchAll;
    Object.assign(worker, { runtime: this });
    this.registries.moduleRegistry = modules;
    this.transformCache.sourceMaps = sourceMaps;
    // In the worker's own context, to which the environment's global object belongs.
    this.executor.compile = (source, filename) =>
      compileFunction(source, this.executor.injectedModuleParameters, { filename });
  }

  /** A module keeps the `require` of the test file that loaded it first, and may call it in a later one. */
  requireModuleOrMock(from, name) {
    const { runtime } = worker;
    return runtime === this ? super.requireModuleOrMock(from, name) : runtime.requireModuleOrMock(from, name);
  }

  teardown() {
    modules.delete(this._testPath);
    // In this mode a worker outlives the sources that it has evaluated.
    if (this.isWatching) modules.clear();
    this.registries.moduleRegistry = new Map();
    super.teardown();
  }
};
