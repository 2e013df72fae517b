import type { ComponentChildren } from 'preact';
import { usePage } from '../page-context';

/** Within this service, without the prefix under which a proxy may serve it. */
export type Path = `/${string}`;

export interface LinkProps {
  to: Path;
  /** The link leads to where the reader already is. */
  current?: boolean;
  class?: string;
  rel?: string;
  children: ComponentChildren;
}

export function Link({ to, current, children, ...attributes }: LinkProps) {
  const { basePath } = usePage();
  return (
    <a href={basePath + to} aria-current={current ? 'page' : undefined} {...attributes}>
      {children}
    </a>
  );
}
