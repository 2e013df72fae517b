import type { ComponentChildren } from 'preact';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Actions } from '../../../platform/pages/components/section';
import { type Area, SettingsPage } from '../../shell';
import type { ListedProposal } from '../application/proposal-queries';
import { proposalPath } from './proposal-paths';
import { isOpen } from './proposal-page';

interface ConfirmationProps {
  area: Area;
  proposal: ListedProposal;
}

export function WithdrawPage(props: ConfirmationProps) {
  return (
    <ConfirmationPage {...props} title="Withdraw the proposal?" action="withdraw" button="Withdraw">
      The client can’t accept it any more; its page says that it was withdrawn. This can’t be undone, but you
      can revise the proposal and send another version.
    </ConfirmationPage>
  );
}

export function ArchivePage(props: ConfirmationProps) {
  return (
    <ConfirmationPage {...props} title="Archive the proposal?" action="archive" button="Archive">
      Lists leave it out. It can be restored later.
      {isOpen(props.proposal) && ' The client can still answer it: archiving withdraws it for good.'}
    </ConfirmationPage>
  );
}

interface Confirmation {
  title: string;
  action: string;
  button: string;
  children: ComponentChildren;
}

function ConfirmationPage({
  area,
  proposal,
  title,
  action,
  button,
  children,
}: ConfirmationProps & Confirmation) {
  const { id, number, title: name, client } = proposal;
  return (
    <SettingsPage area={area} place=":mode/proposals" title={title}>
      <p>
        Proposal {number}, <bdi>{name}</bdi>, for <bdi>{client.name ?? client.email}</bdi>.
      </p>
      <p>{children}</p>
      <Form action={proposalPath(area, id, action)}>
        <Actions>
          <Button kind="danger">{button}</Button>
          <ButtonLink to={proposalPath(area, id)} kind="secondary">
            Cancel
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}
