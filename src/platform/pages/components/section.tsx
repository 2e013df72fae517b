import type { ComponentChildren } from 'preact';

interface SectionProps {
  title: string;
  intro?: ComponentChildren;
  /** What can be done here can't be undone. */
  danger?: boolean;
  children: ComponentChildren;
}

/** A part of a page with a heading of its own, on a panel. */
export function Section({ title, intro, danger, children }: SectionProps) {
  return (
    <section class={danger ? 'section danger' : 'section'}>
      <h2>{title}</h2>
      {intro && <div class="section-intro">{intro}</div>}
      {children}
    </section>
  );
}

interface EmptyStateProps {
  title: string;
  children?: ComponentChildren;
  /** A ButtonLink to what would fill the place. */
  action?: ComponentChildren;
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="quiet">{children}</div>}
      {action}
    </div>
  );
}

/** Buttons side by side; on a phone, one below the other. */
export function Actions({ children }: { children: ComponentChildren }) {
  return <div class="actions">{children}</div>;
}
