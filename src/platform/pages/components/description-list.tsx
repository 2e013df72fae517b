import type { ComponentChildren } from 'preact';

interface DescriptionListProps {
  items: readonly { term: string; details: ComponentChildren }[];
}

export function DescriptionList({ items }: DescriptionListProps) {
  return (
    <dl class="descriptions">
      {items.map(({ term, details }) => (
        <div>
          <dt>{term}</dt>
          <dd>{details}</dd>
        </div>
      ))}
    </dl>
  );
}
