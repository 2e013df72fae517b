import { foldText } from '../../kernel/text';

/** A LIKE pattern for texts in the form of `foldText` that contain the literal word. Wildcards in it are escaped. */
export function containing(word: string): string {
  return `%${foldText(word).replace(/[\\%_]/g, '\\$&')}%`;
}
