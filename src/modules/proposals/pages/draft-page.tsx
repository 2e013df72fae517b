import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextArea } from '../../../platform/pages/components/text-area';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { leadPath } from '../../leads';
import { type Area, SettingsPage } from '../../shell';
import type { LeadId } from '../../../kernel/ids';
import type { ProposalClient } from '../application/proposal-queries';
import { countLines, lineField } from './draft-form';
import { LINE_LABELS, LineFields } from './line-fields';
import { isNoLongerDraft, NoLongerDraft } from './no-longer-draft';
import { PRESENTATION_LABELS, SectionFields, sectionLabels } from './section-fields';

const LABELS = {
  title: 'Title',
  validUntil: 'Valid until',
  currency: 'Currency',
  deposit: 'Deposit',
  depositValue: 'Deposit value',
  depositDueDate: 'Deposit due on',
  notes: 'Notes to the client',
  ...PRESENTATION_LABELS,
  leadId: 'The lead',
  lineItems: 'The lines',
};

export interface DraftPageProps {
  area: Area;
  title: string;
  lead: ProposalClient & { readonly id: LeadId; readonly guests: number | null };
  /** Where the form is sent; `/lines` below it shows it again with more lines. */
  action: Path;
  back: Path;
  form: FormInput;
  /** What the form carries unseen. */
  hidden: Readonly<Record<string, string>>;
  /** The page of the proposal, where what somebody else saved can be compared. */
  current?: Path;
  /** How many blank lines there are. */
  blank: number;
}

/** The form of a draft, new or not. */
export function DraftPage(props: DraftPageProps) {
  const { area, title, lead, action, back, form, hidden, blank } = props;
  return (
    <SettingsPage
      area={area}
      place=":mode/proposals"
      title={title}
      intro={
        <>
          For{' '}
          <bdi>
            <Link to={leadPath(area, lead.id)}>{lead.name ?? lead.email}</Link>
          </bdi>
          {lead.guests !== null && `, ${lead.guests} guests`}
        </>
      }
    >
      <Form action={action}>
        {/* The first button of a form is the one that Enter presses. */}
        <button type="submit" hidden>
          Save draft
        </button>
        {Object.entries(hidden).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <Problems {...props} />
        <TextField form={form} name="title" label={LABELS.title} required />
        <TextField
          form={form}
          name="validUntil"
          type="date"
          label={LABELS.validUntil}
          hint={`The last day on which it can be accepted, in ${area.workspace.timeZone}.`}
          short
        />
        <TextField
          form={form}
          name="currency"
          label={LABELS.currency}
          hint="ISO 4217, such as EUR."
          required
          short
        />
        <div>
          <h2>What the client reads first</h2>
          <p class="hint">
            Plain text. Tick “Remove this section” to remove one with its images. Images are added to a saved
            draft, on its page.
          </p>
        </div>
        <TextArea form={form} name="message" label={LABELS.message} rows={5} />
        <SectionFields form={form} />
        <div>
          <h2>Lines</h2>
          <p class="hint">
            Prices are without tax; a discount is below zero. Without a quantity, a line per guest counts{' '}
            {lead.guests === null ? 'the lead’s guests, which aren’t known yet,' : `${lead.guests} guests`}{' '}
            and any other line 1. Lines of one group are shown together. Clear a line to remove it.
          </p>
        </div>
        <LineFields form={form} blank={blank} />
        <Button kind="secondary" action={`${action}/lines`}>
          More lines
        </Button>
        <h2>Payment</h2>
        <SelectField
          form={form}
          name="deposit"
          label={LABELS.deposit}
          options={[
            { value: '', label: 'None' },
            { value: 'percent', label: 'Percentage of the total' },
            { value: 'amount', label: 'Fixed amount' },
          ]}
        />
        <TextField form={form} name="depositValue" label={LABELS.depositValue} inputMode="decimal" short />
        <TextField form={form} name="depositDueDate" type="date" label={LABELS.depositDueDate} short />
        <TextArea form={form} name="terms" label={LABELS.terms} hint="What the client accepts. Plain text." />
        <TextArea form={form} name="notes" label={LABELS.notes} hint="Below the prices. Plain text." />
        <h2>Contact</h2>
        <TextField
          form={form}
          name="contactName"
          label={LABELS.contactName}
          hint="Left empty, the page shows the brand’s contact."
        />
        <TextField form={form} name="contactPhone" label={LABELS.contactPhone} short />
        <TextField form={form} name="contactEmail" label={LABELS.contactEmail} />
        {['coverImage', 'contactPhoto'].map((name) => (
          <input type="hidden" name={name} value={form.value(name)} />
        ))}
        <Actions>
          <Button>Save draft</Button>
          <ButtonLink kind="secondary" to={back}>
            Cancel
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}

function Problems({ form, current }: DraftPageProps) {
  if (form.problem('If-Match') !== undefined) {
    return (
      <Notice kind="danger" title="Somebody changed this draft meanwhile">
        Nothing was saved yet, and the form has all that you typed.{' '}
        {current && <Link to={current}>See the draft as it is now</Link>}, then save again to replace it with
        yours.
      </Notice>
    );
  }
  if (isNoLongerDraft(form)) return <NoLongerDraft current={current} />;
  return <ProblemSummary form={form} labels={labelsFor(form)} />;
}

function labelsFor(form: FormInput): Record<string, string> {
  const ofLines = Array.from({ length: countLines(form) }, (_, line) =>
    Object.entries(LINE_LABELS).map(([field, label]) => [
      lineField(line, field as keyof typeof LINE_LABELS),
      `${label} of line ${line + 1}`,
    ]),
  ).flat();
  // First the fields of lines: all of them begin like the lines as a whole.
  return { ...(Object.fromEntries(ofLines) as Record<string, string>), ...sectionLabels(form), ...LABELS };
}
