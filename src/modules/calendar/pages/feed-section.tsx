import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Actions, Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import type { Area } from '../../shell';
import { calendarPath } from './calendar-paths';

interface FeedSectionProps {
  area: Area;
  /** When the visitor’s link was created, if there is one. */
  linkMadeAt: Date | undefined;
}

/** The visitor's own link for calendar apps. */
export function FeedSection({ area, linkMadeAt }: FeedSectionProps) {
  const { timeZone } = area.workspace;
  return (
    <Section
      title="Subscribe to this calendar"
      intro="Subscribe in Google, Outlook or Apple Calendar. Read-only; keep the link private."
    >
      {linkMadeAt ? (
        <p>
          Your link was created on <Time at={linkMadeAt} zone={timeZone} />. It is shown only once. A new link
          replaces it.
        </p>
      ) : (
        <p>You have no link yet.</p>
      )}
      <Actions>
        <Form action={calendarPath(area, 'link')} layout="inline" label="Create a link">
          <Button kind="secondary">{linkMadeAt ? 'Create a new link' : 'Create a link'}</Button>
        </Form>
        {linkMadeAt && (
          <Form action={calendarPath(area, 'link/revoke')} layout="inline" label="Revoke the link">
            <Button kind="danger">Revoke the link</Button>
          </Form>
        )}
      </Actions>
    </Section>
  );
}
