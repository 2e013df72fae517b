import type { ComponentChildren } from 'preact';
import { usePage } from '../page-context';
import { Link, type LinkProps, type Path } from './link';

type Kind = 'primary' | 'secondary' | 'danger';

interface ButtonProps {
  kind?: Kind;
  /** Sent with the form when this button sends it. */
  name?: string;
  value?: string;
  /** What it acts on, for those who don't see where it stands: “Revoke” becomes “Revoke Booking site”. */
  of?: string;
  /** Sends the form elsewhere, filled in or not. */
  action?: Path;
  children: ComponentChildren;
}

/** Sends the form that it stands in. */
export function Button({ kind = 'primary', name, value, of, action, children }: ButtonProps) {
  const { basePath } = usePage();
  return (
    <button
      type="submit"
      class={`button ${kind}`}
      name={name}
      value={value}
      formaction={action && basePath + action}
      formnovalidate={action !== undefined}
    >
      {children}
      <Of text={of} />
    </button>
  );
}

/** A link that looks like a button, since it begins something. */
export function ButtonLink({
  kind = 'primary',
  of,
  children,
  ...link
}: LinkProps & { kind?: Kind; of?: string }) {
  return (
    <Link {...link} class={`button ${kind}`}>
      {children}
      <Of text={of} />
    </Link>
  );
}

function Of({ text }: { text?: string }) {
  return text ? <span class="visually-hidden"> {text}</span> : null;
}
