import { useFieldId } from './form';

interface SecretProps {
  /** Tells apart several of one page. */
  name: string;
  label: string;
  /** Line breaks are kept, for lists of recovery codes. */
  value: string;
}

/** Something to be copied, mostly shown only once. Without a script, a click or tap still selects all of it. */
export function Secret({ name, label, value }: SecretProps) {
  const id = useFieldId(name);
  return (
    <div class="secret" role="group" aria-labelledby={`${id}-label`}>
      <p class="secret-label" id={`${id}-label`}>
        {label}
      </p>
      <div class="secret-box">
        <code id={id} tabindex={0} translate={false}>
          {value}
        </code>
        <button type="button" class="button secondary" data-copy={id} hidden>
          Copy<span class="visually-hidden"> {label}</span>
        </button>
      </div>
      <p class="hint" role="status" data-copied={id} />
    </div>
  );
}
