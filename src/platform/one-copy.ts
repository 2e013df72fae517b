// Imported first by every entrance. Classes are injection tokens, so an extension that brings its own copy of this package
// would get nothing that the service provides, with errors that don't name the reason.
import { packageDirectory } from './package-version';

const KEY = Symbol.for('gala.directory');
const shared = globalThis as { [KEY]?: string };

const directory = packageDirectory(__dirname);
const other = shared[KEY];
if (other !== undefined && other !== directory) {
  throw new Error(
    `There are two copies of Gala: ${other} and ${directory}. Make gala a peer dependency of each extension, so that npm installs it once.`,
  );
}
shared[KEY] = directory;
