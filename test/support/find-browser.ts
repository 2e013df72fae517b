import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const PROGRAM = 'GALA_TEST_BROWSER';
const ENVIRONMENT = 'GALA_TEST_BROWSER_ENVIRONMENT';

/**
 * Finds a Chromium, and remembers it for the test processes: the one of CHROMIUM_PATH, the one that comes along as a package, for
 * Linux on x64, or else one on the PATH. The package has no window to draw, which takes a third less processor time.
 */
export function findBrowser(): string | undefined {
  const given = process.env.CHROMIUM_PATH;
  if (given && !isExecutable(given))
    throw new Error(
      `CHROMIUM_PATH is ${given}, and that can't be run. Set it to the program of Chromium or Chrome.`,
    );
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const packaged = given ? undefined : unpackBrowser();
  const program = given ?? onPath.find(isExecutable);
  const found = packaged ?? (program ? { program, environment: {} } : undefined);
  if (!found) return undefined;
  process.env[PROGRAM] = found.program;
  process.env[ENVIRONMENT] = JSON.stringify(found.environment);
  return found.program;
}

/** What `findBrowser` has found, for Playwright. */
export function foundBrowser(): { executablePath: string; env: NodeJS.ProcessEnv } {
  const environment = JSON.parse(process.env[ENVIRONMENT]!) as Record<string, string>;
  return { executablePath: process.env[PROGRAM]!, env: { ...process.env, ...environment } };
}

/** Takes seconds the first time. The package brings libraries and fonts, which machines without a browser seldom have. */
function unpackBrowser() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = join(__dirname, '../../node_modules/.cache/gala-test-browser', packageVersion());
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    // It unpacks to the folder for temporary files, and its libraries only where it takes itself to be on AWS.
    const env = { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
    const script = `const { default: unpacker = require('@sparticuz/chromium') } = require('@sparticuz/chromium');
      unpacker.executablePath().catch((error) => { console.error(error); process.exit(1); })`;
    const { status } = spawnSync(process.execPath, ['-e', script], { env, cwd: __dirname, stdio: 'inherit' });
    if (status !== 0) return undefined;
    writeFileSync(
      join(unfinished, 'fonts/fonts.conf'),
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>\n`,
    );
    if (existsSync(folder)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, folder);
  }
  const program = join(folder, 'chromium');
  const fonts = existsSync('/etc/fonts') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') };
  const environments = [fonts, { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023/lib') }];
  const environment = environments.find(
    (each) => spawnSync(program, ['--version'], { env: { ...process.env, ...each } }).status === 0,
  );
  return environment && { program, environment };
}

function packageVersion(): string {
  const text = readFileSync(join(__dirname, '../../package.json'), 'utf8');
  const { devDependencies } = JSON.parse(text) as { devDependencies: Record<string, string> };
  return devDependencies['@sparticuz/chromium']!;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
