interface VerbatimProps {
  /** What it is, for those who come upon it with the keyboard. */
  label: string;
  text: string;
}

/** Text of somebody else’s, or for machines, as it is. What is long scrolls, also by keyboard. */
export function Verbatim({ label, text }: VerbatimProps) {
  return (
    <pre class="verbatim" role="group" aria-label={label} tabindex={0} translate={false}>
      <code>{text}</code>
    </pre>
  );
}
