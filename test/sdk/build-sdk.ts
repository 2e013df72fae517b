import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const bin = (name: string) => join(ROOT, 'node_modules', name);

/** A folder in which programs find `@gala/sdk` as if it were installed: built anew from what the service says. */
export class SdkProject {
  readonly path = mkdtempSync(join(tmpdir(), 'gala-sdk-'));
  /** Beside node_modules and linked from there: what lies within, Jest leaves as it is. */
  readonly sdk = join(this.path, 'sdk');

  constructor(openapi: string) {
    mkdirSync(this.sdk);
    mkdirSync(join(this.path, 'node_modules/@gala'), { recursive: true });
    symlinkSync(this.sdk, join(this.path, 'node_modules/@gala/sdk'));
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'standardwebhooks', '@types']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(this.path, 'node_modules', name));
    }
    for (const name of ['package.json', 'src', 'tsconfig.json', 'tsconfig.cjs.json']) {
      execFileSync('cp', ['-r', join(ROOT, 'sdk', name), this.sdk]);
    }
    writeFileSync(join(this.path, 'package.json'), '{"type": "module"}');
    this.makeTypes(openapi, 'sdk/src/schema.ts');
    this.run(join(ROOT, 'scripts/build-sdk.js'), [this.sdk], this.sdk);
  }

  /** The types of a service, made of its description as the guide tells. */
  makeTypes(openapi: string, file: string): void {
    writeFileSync(join(this.path, 'openapi.json'), openapi);
    this.run(bin('openapi-typescript/bin/cli.js'), ['openapi.json', '-o', file], this.path);
  }

  /** Compiles programs, each a module of its own, and returns the complaints about each. */
  compile(programs: Record<string, string>): Record<string, string> {
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(this.path, name), text);
    writeFileSync(
      join(this.path, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2023',
          lib: ['es2023', 'dom'],
          types: ['node'],
          strict: true,
          noUncheckedIndexedAccess: true,
          skipLibCheck: true,
        },
        files: Object.keys(programs),
      }),
    );
    let output = '';
    try {
      this.run(bin('typescript/bin/tsc'), ['-p', '.', '--pretty', 'false'], this.path);
    } catch (error) {
      output = String((error as { stdout: unknown }).stdout);
    }
    const complaints = Object.fromEntries(Object.keys(programs).map((name) => [name, '']));
    for (const line of output.split('\n')) {
      const name = /^([\w.-]+)\(/.exec(line)?.[1];
      if (name) complaints[name] = `${complaints[name]}${line}\n`;
    }
    return complaints;
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }

  private run(program: string, args: string[], cwd: string): void {
    execFileSync(process.execPath, [program, ...args], { cwd, stdio: 'pipe' });
  }
}
