import type { ComponentChildren } from 'preact';
import { Link, type LinkProps } from './link';

type Kind = 'primary' | 'secondary' | 'danger';

interface ButtonProps {
  kind?: Kind;
  /** Sent with the form when this button sends it. */
  name?: string;
  value?: string;
  /** What it acts on, for those who don't see where it stands: “Revoke” becomes “Revoke Booking site”. */
  of?: string;
  children: ComponentChildren;
}

/** Sends the form that it stands in. */
export function Button({ kind = 'primary', name, value, of, children }: ButtonProps) {
  return (
    <button type="submit" class={`button ${kind}`} name={name} value={value}>
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
