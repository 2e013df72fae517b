import type { ComponentChildren } from 'preact';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import type { Path } from '../../../platform/pages/components/link';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions } from '../../../platform/pages/components/section';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage, type SettingsPageProps } from '../../shell';
import { stagesPath } from './stage-paths';

/** The frame of the pages on stages and lost reasons. */
export function StagesFrame({ children, ...page }: Omit<SettingsPageProps, 'place'>) {
  return (
    <SettingsPage {...page} place=":mode/stages">
      {children}
    </SettingsPage>
  );
}

interface EditFormProps {
  area: Area;
  action: Path;
  form: FormInput;
  labels: Readonly<Record<string, string>>;
  children: ComponentChildren;
}

/** The form that changes a stage or a lost reason. */
export function EditForm({ area, action, form, labels, children }: EditFormProps) {
  return (
    <Form action={action}>
      <ProblemSummary form={form} labels={labels} />
      {children}
      <Actions>
        <Button>Save</Button>
        <ButtonLink to={stagesPath(area)} kind="secondary">
          Back to stages
        </ButtonLink>
      </Actions>
    </Form>
  );
}

/** A button in a row, which does one thing to what the row shows. */
export function RowAction({ action, does, of }: { action: Path; does: string; of: string }) {
  return (
    <Form action={action} layout="inline" label={`${does} ${of}`}>
      <Button kind="secondary" of={of}>
        {does}
      </Button>
    </Form>
  );
}
