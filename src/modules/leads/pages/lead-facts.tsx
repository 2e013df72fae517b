import { Badge } from '../../../platform/pages/components/badge';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Actions, Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { Day, Time } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import type { Area } from '../../shell';
import type { FieldValue } from '../domain/field-value';
import type { LeadView } from '../domain/lead';
import type { LeadFieldView } from '../domain/lead-field';
import type { StageView } from '../domain/pipeline-stage';
import { type LeadNames, OWN_FIELDS } from './lead-fields';
import { leadPath } from './lead-paths';

interface LeadFactsProps {
  area: Area;
  lead: LeadView;
  /** Those that the lead can be moved to, and its own. */
  stages: readonly StageView[];
  fields: readonly LeadFieldView[];
  names: LeadNames;
}

/** What is known about a lead, and its stage, owner and archiving. */
export function LeadFacts({ area, lead, stages, fields, names }: LeadFactsProps) {
  const path = leadPath(area, lead.id);
  const own = OWN_FIELDS.map(({ label, shown }) => ({ term: label, details: shown?.(lead, names) }));
  const facts = [
    ...own.filter(({ details }) => details),
    ...fields.map((field) => ({
      term: field.label,
      details: <Custom field={field} value={lead.custom[field.key]} />,
    })),
    { term: 'Created', details: <Time at={lead.createdAt} zone={area.workspace.timeZone} /> },
  ];
  return (
    <>
      <Section title="Stage">
        <StageForm area={area} lead={lead} stages={stages} />
      </Section>
      <Section title="Facts">
        <DescriptionList items={facts} />
        {!lead.archivedAt && (
          <Actions>
            <ButtonLink kind="secondary" to={`${path}/edit`}>
              Edit
            </ButtonLink>
          </Actions>
        )}
      </Section>
      <Section title={lead.archivedAt ? 'Archived' : 'Archive'}>
        <p class="quiet">
          {lead.archivedAt
            ? 'An archived lead is left out of lists and can’t be changed.'
            : 'Archiving takes the lead out of lists. Nothing is deleted, and it can be restored.'}
        </p>
        <Form action={`${path}/${lead.archivedAt ? 'restore' : 'archive'}`} id="archiving">
          <Button kind="secondary">{lead.archivedAt ? 'Restore' : 'Archive'}</Button>
        </Form>
      </Section>
    </>
  );
}

function StageForm({ area, lead, stages }: Pick<LeadFactsProps, 'area' | 'lead' | 'stages'>) {
  const own = stages.find(({ key }) => key === lead.stage);
  if (lead.archivedAt) return <Badge>{own?.name ?? lead.stage}</Badge>;
  return (
    <Form action={`${leadPath(area, lead.id)}/stage`} id="stage" layout="inline">
      <SelectField
        form={new FormInput({ stage: lead.stage })}
        name="stage"
        label="Stage"
        hideLabel
        autoSubmit
        options={[
          ...(own ? [] : [{ value: lead.stage, label: lead.stage }]),
          ...stages.map(({ key, name }) => ({ value: key, label: name })),
        ]}
      />
      <Button kind="secondary">Move</Button>
    </Form>
  );
}

function Custom({ field, value }: { field: LeadFieldView; value: FieldValue | null | undefined }) {
  if (value === null || value === undefined) return <span class="quiet">–</span>;
  const labelOf = (option: string) => field.options.find((each) => each.value === option)?.label ?? option;
  if (Array.isArray(value)) return <>{value.map(labelOf).join(', ')}</>;
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>;
  if (field.type === 'url') {
    return (
      <a href={String(value)} rel="noreferrer noopener">
        {value}
      </a>
    );
  }
  if (field.type === 'date') return <Day on={String(value)} />;
  if (field.type === 'select') return <>{labelOf(String(value))}</>;
  return <span class="pre">{value}</span>;
}
