import type { ComponentChildren } from 'preact';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Actions } from '../../../platform/pages/components/section';
import { dayPath } from '../../calendar';
import { type Area, SettingsPage } from '../../shell';
import type { HoldView } from '../domain/hold-view';

export type FinalVerb = 'confirm' | 'release';

interface FinalActPageProps {
  area: Area;
  day: string;
  hold: HoldView;
  verb: FinalVerb;
}

/** Asks before a hold ends, which is final. */
export function FinalActPage({ area, day, hold, verb }: FinalActPageProps) {
  const does = verb === 'confirm' ? 'Confirm' : 'Release';
  return (
    <SettingsPage area={area} place=":mode/calendar" title={`${does} the hold?`}>
      <p>
        <bdi>{hold.title}</bdi>
      </p>
      <p>{consequence(verb, hold)} No message is sent to clients. This can’t be undone.</p>
      <Form action={dayPath(area, day, `${hold.id}/${verb}`)}>
        <Actions>
          <Button kind={verb === 'confirm' ? 'primary' : 'danger'}>{does} the hold</Button>
          <ButtonLink kind="secondary" to={dayPath(area, day)}>
            Keep it as it is
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}

function consequence(verb: FinalVerb, { group, rank }: HoldView): ComponentChildren {
  if (verb === 'release') {
    return rank === 1
      ? 'It ends, and whoever waits behind it moves up.'
      : 'It loses its place, and whoever waits behind it moves up.';
  }
  const rest = group && (
    <>
      , and so do the other holds of the group <bdi>{group}</bdi>
    </>
  );
  return <>It becomes an event. All other holds that overlap it in a space end{rest}.</>;
}
