import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/gala-process';

export interface Block {
  /** The words after the fence: the language, and what else is said. `indented` for a block without a fence. */
  info: string;
  code: string;
  line: number;
}

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const lineAt = (index: number) => text.slice(0, index).split('\n').length;
  const fence = /^( *)```(.*)\n([^]*?)^ *```$/gm;
  const fenced = [...text.matchAll(fence)].map(({ 1: indentation, 2: info, 3: code, index }) => ({
    info: info!.trim(),
    code: code!.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    line: lineAt(index),
  }));
  // Below a blank line: what goes on with a list item has fewer spaces, or no blank line before it.
  const without = text.replaceAll(fence, (block) => block.replaceAll(/[^\n]/g, ' ').replaceAll(/ +/g, ''));
  const indented = [...without.matchAll(/(?<=^\s*\n)((?: {4}.*\n)+)/gm)].map(({ 1: code, index }) => ({
    info: 'indented',
    code: code!,
    line: without.slice(0, index).split('\n').length,
  }));
  return [...fenced, ...indented];
}
