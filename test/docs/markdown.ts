import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/gala-process';

export interface Block {
  /** The words after the fence: the language, and what else is said. */
  info: string;
  code: string;
  line: number;
}

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(.*)\n([^]*?)^```$/gm)].map(({ 1: info, 2: code, index }) => ({
    info: info!.trim(),
    code: code!,
    line: text.slice(0, index).split('\n').length,
  }));
}
