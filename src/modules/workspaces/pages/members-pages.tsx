import type { Person } from '../../../kernel/actor';
import type { MailReach } from '../../../kernel/mailer';
import { ROLES } from '../../../kernel/role';
import { Badge } from '../../../platform/pages/components/badge';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Secret } from '../../../platform/pages/components/secret';
import { Actions, EmptyState, Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import { Time } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import { type Area, isAdmin, SettingsPage, settingsPath } from '../../shell';
import type { Member } from '../application/member-repository';
import type { PendingInvitation } from '../application/members';
import { mayManage } from '../domain/role';
import { ROLE_NAMES, roleOption } from './role-names';

const NOTICES = new Map([
  ['cancelled', 'The invitation was cancelled. Its link no longer works.'],
  ['role-changed', 'The role was changed.'],
  ['paused', 'The member gets no new leads until you resume.'],
  ['resumed', 'The member gets new leads again.'],
  ['removed', 'The member was removed. API keys they created keep working.'],
]);
const LABELS = { email: 'Email', role: 'Role', successor: 'Who takes over' };

interface MembersPageProps {
  area: Area;
  person: Person;
  members: readonly Member[];
  invitations: readonly PendingInvitation[];
  mailReach: MailReach;
  /** The form that invites someone. */
  form: FormInput;
  /** The form of a member's role, with its problems. */
  faulty?: FormInput;
  notice?: string;
}

export function MembersPage({ form, faulty, notice = '', ...props }: MembersPageProps) {
  const { area } = props;
  return (
    <SettingsPage
      area={area}
      place="members"
      title="Members"
      intro="People who can sign in to this workspace."
      done={NOTICES.get(notice)}
    >
      {faulty && <ProblemSummary form={faulty} labels={{ role: LABELS.role }} />}
      <MemberTable {...props} />
      {isAdmin(area) && (
        <>
          <Section
            title="Invite someone"
            intro={
              props.mailReach === 'mailbox'
                ? 'They get a link to join by email.'
                : 'You get a link to share with them. This server sends no email.'
            }
          >
            <Form action={settingsPath(area, 'members/invitations')} id="invite">
              <ProblemSummary form={form} labels={LABELS} />
              <TextField form={form} name="email" label={LABELS.email} type="email" required />
              <SelectField
                form={form}
                name="role"
                label={LABELS.role}
                options={ROLES.filter((role) => mayManage(area.role, role)).map(roleOption)}
              />
              <Button>Invite</Button>
            </Form>
          </Section>
          <Invitations {...props} />
        </>
      )}
    </SettingsPage>
  );
}

type TableProps = Pick<MembersPageProps, 'area' | 'person' | 'members' | 'invitations'>;

function MemberTable({ area, person, members }: TableProps) {
  return (
    <DataTable
      caption="Members"
      hideCaption
      rows={members}
      columns={[
        {
          title: 'Email',
          isHeader: true,
          cell: ({ email, userId, isPaused }) => (
            <>
              {email} {userId === person.id && <Badge kind="info">You</Badge>}
              {isPaused && <Badge kind="warning">Paused</Badge>}
            </>
          ),
        },
        { title: 'Role', cell: (member) => <MemberRole area={area} member={member} /> },
        {
          title: 'Actions',
          actions: true,
          cell: (member) => {
            const leaves = member.userId === person.id;
            if (!leaves && !isAdmin(area)) return null;
            const pause = <PauseForm area={area} member={member} />;
            if (!leaves && !mayManage(area.role, member.role)) return pause;
            return (
              <Actions>
                {pause}
                <ButtonLink
                  to={settingsPath(area, `members/${member.userId}/remove`)}
                  kind="secondary"
                  of={leaves ? area.workspace.name : member.email}
                >
                  {leaves ? 'Leave' : 'Remove'}
                </ButtonLink>
              </Actions>
            );
          },
        },
      ]}
    />
  );
}

/** For holidays and illness. */
function PauseForm({ area, member: { userId, email, isPaused } }: { area: Area; member: Member }) {
  const action = isPaused ? 'resume' : 'pause';
  return (
    <Form
      action={settingsPath(area, `members/${userId}/${action}`)}
      layout="inline"
      label={`New leads of ${email}`}
    >
      <Button kind="secondary" of={`new leads of ${email}`}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </Form>
  );
}

function MemberRole({ area, member }: { area: Area; member: Member }) {
  if (!mayManage(area.role, member.role)) return <>{ROLE_NAMES[member.role]}</>;
  return (
    <Form
      action={settingsPath(area, `members/${member.userId}/role`)}
      id={member.userId}
      layout="inline"
      label={`Role of ${member.email}`}
    >
      <SelectField
        form={new FormInput({ role: member.role })}
        name="role"
        label={`Role of ${member.email}`}
        hideLabel
        options={ROLES.filter((role) => mayManage(area.role, role)).map((role) => ({
          value: role,
          label: ROLE_NAMES[role],
        }))}
      />
      <Button kind="secondary" of={`the role of ${member.email}`}>
        Change
      </Button>
    </Form>
  );
}

function Invitations({ area, invitations }: TableProps) {
  const { timeZone } = area.workspace;
  return (
    <Section title="Pending invitations">
      {invitations.length === 0 ? (
        <EmptyState title="No pending invitations" />
      ) : (
        <DataTable
          caption="Pending invitations"
          hideCaption
          rows={invitations}
          columns={[
            { title: 'Email', isHeader: true, cell: ({ email }) => email },
            { title: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
            { title: 'Invited by', cell: ({ inviterEmail }) => inviterEmail },
            { title: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} zone={timeZone} /> },
            {
              title: 'Actions',
              actions: true,
              cell: ({ id, email }) => (
                <Form
                  action={settingsPath(area, `members/invitations/${id}/cancel`)}
                  layout="inline"
                  label={`Invitation of ${email}`}
                >
                  <Button kind="secondary" of={`the invitation of ${email}`}>
                    Cancel
                  </Button>
                </Form>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

const INVITED: Record<MailReach, string> = {
  mailbox:
    'We emailed them a link. You can also share the one below, which is shown only now. If they are new here, they confirm their email address first.',
  console:
    'No mail server is set up, so share the link yourself. It is shown only now. If they are new here, they confirm their email address first: that email is printed in the terminal where Gala runs.',
  nowhere:
    'This server sends no email, so share the link yourself. It is shown only now. If they are new here, anyone who opens it can choose their password: Gala can’t check whose email address it is.',
};

export function InvitedPage(props: { area: Area; email: string; link: string; mailReach: MailReach }) {
  const { area, email, link, mailReach } = props;
  return (
    <SettingsPage area={area} place="members" title={`${email} is invited`}>
      <Notice kind={mailReach === 'mailbox' ? 'success' : 'warning'}>{INVITED[mailReach]}</Notice>
      <Secret name="link" label="Invitation link" value={link} />
      <ButtonLink to={settingsPath(area, 'members')}>Back to members</ButtonLink>
    </SettingsPage>
  );
}

interface RemoveMemberPageProps {
  area: Area;
  person: Person;
  member: Member;
  others: readonly Member[];
  form: FormInput;
}

export function RemoveMemberPage({ area, person, member, others, form }: RemoveMemberPageProps) {
  const leaves = member.userId === person.id;
  return (
    <SettingsPage
      area={area}
      place="members"
      title={leaves ? `Leave ${area.workspace.name}?` : `Remove ${member.email}?`}
    >
      <p>
        {leaves
          ? 'You lose access immediately. To come back, you need a new invitation.'
          : 'They lose access immediately. Invitations they sent are cancelled. API keys they created keep working: revoke any that they may have kept.'}
      </p>
      <Form action={settingsPath(area, `members/${member.userId}/remove`)}>
        <ProblemSummary form={form} labels={{ role: LABELS.role, successor: LABELS.successor }} />
        <SelectField
          form={form}
          name="successor"
          label={LABELS.successor}
          hint={`Gets ${leaves ? 'your' : 'their'} open leads and tasks. Closed and archived ones stay without an owner.`}
          options={[
            { value: '', label: 'Nobody' },
            ...others.map(({ userId, email }) => ({ value: userId, label: email })),
          ]}
        />
        <Actions>
          <Button kind="danger">{leaves ? 'Leave' : 'Remove'}</Button>
          <ButtonLink to={settingsPath(area, 'members')} kind="secondary">
            Cancel
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}
