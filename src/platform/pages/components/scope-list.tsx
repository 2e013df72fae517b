import { scopeSummary } from '../../../kernel/scope-summary';

interface ScopeListProps {
  scopes: readonly string[];
  /** What each scope that there is allows, by scope. */
  words: ReadonlyMap<string, string>;
}

/** What a credential may do, in a few words that unfold to the whole list. */
export function ScopeList({ scopes, words }: ScopeListProps) {
  const summary = scopeSummary(scopes, [...words.keys()]);
  if (scopes.length === 0) return <>{summary}</>;
  return (
    <details class="scopes">
      <summary>{summary}</summary>
      <ul>
        {scopes.map((scope) => (
          <li>
            <code>{scope}</code> <span class="quiet">{words.get(scope)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
