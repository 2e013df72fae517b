import type { ComponentChildren } from 'preact';

interface NoticeProps {
  kind?: 'info' | 'success' | 'warning' | 'danger';
  title?: string;
  children?: ComponentChildren;
}

/** What a reader should know before the rest of the page. */
export function Notice({ kind = 'info', title, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'danger' ? 'alert' : 'status'}>
      {title && <p class="notice-title">{title}</p>}
      {children && <div>{children}</div>}
    </div>
  );
}
