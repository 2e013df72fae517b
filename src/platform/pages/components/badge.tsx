interface BadgeProps {
  kind?: 'neutral' | 'info' | 'success' | 'warning' | 'danger';
  children: string;
}

/** The state of something, in a word or two. */
export function Badge({ kind = 'neutral', children }: BadgeProps) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
