import { foldText } from '../../../kernel/text';

interface Searched {
  readonly name: string | null;
  readonly email: string;
  readonly phone: string | null;
  readonly tags: readonly string[];
}

/** The text that searches match, one value on each line. A word of a query doesn't match across lines. */
export function searchTextOf({ name, email, phone, tags }: Searched): string {
  return foldText([name, email, phone, ...tags].filter(Boolean).join('\n'));
}
