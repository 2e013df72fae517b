import type { ComponentChildren, VNode } from 'preact';
import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Notice } from '../../../platform/pages/components/notice';
import { Head } from '../../../platform/pages/components/page-document';
import type { FormInput } from '../../../platform/pages/form-input';
import type { LinkedProposal } from '../application/proposal-repository';
import type { ClientOffer } from '../application/client-offers';
import { ClientBar, ClientContact } from './client-bar';
import { ClientDocument } from './client-document';
import { Refused } from './client-refusal';
import { CLIENT_TEXTS, type ClientTexts } from './client-texts';
import { formatDay, formatInstant, formatMoney } from './money-format';
import { type ProposalTexts, textsFor } from './proposal-texts';
import { QuestionForm } from './question-form';

interface ClientPageProps {
  offer: ClientOffer;
  /** The rendered part that is the same for everyone. */
  body: VNode;
  form: FormInput;
  /** Whether the client answered a proposal that was closed. */
  tooLate?: boolean;
  /** For members of the workspace, who can't answer. */
  isPreview?: boolean;
  /** Whether the client just asked a question. */
  isAsked?: boolean;
}

/** The proposal as its client sees it, with the forms to accept or decline while it is open. */
export function ClientPage({ offer, body, form, tooLate, isPreview, isAsked = false }: ClientPageProps) {
  const { proposal, workspace, venue } = offer;
  const { language, texts } = clientTextsFor(workspace.locale);
  return (
    <ClientDocument
      language={language}
      offer={offer}
      texts={texts}
      bar={<ClientBar offer={offer} texts={texts} isPreview={isPreview} />}
    >
      {isPreview && <Notice>{texts.preview}</Notice>}
      {proposal.mode === 'test' && <Notice kind="warning">{texts.test}</Notice>}
      {tooLate && <Notice kind="danger">{texts.tooLate}</Notice>}
      <Refused form={form} isOpen={proposal.isOpen} texts={texts} />
      <Outcome proposal={proposal} workspace={workspace} texts={texts} />
      {proposal.status === 'accepted' && <NextSteps offer={offer} texts={texts} />}
      {body}
      <ClientContact offer={offer} texts={texts} />
      {!isPreview && !proposal.archivedAt && (
        <QuestionForm
          token={proposal.publicToken!}
          venue={venue.name}
          form={form}
          texts={texts}
          isAsked={isAsked}
        />
      )}
      {proposal.isOpen && (
        <Answers isDisabled={isPreview}>
          <AcceptForm proposal={proposal} venue={venue.name} form={form} texts={texts} />
          <DeclineForm proposal={proposal} form={form} texts={texts} />
        </Answers>
      )}
      <p class="quiet client-print">{texts.print}</p>
    </ClientDocument>
  );
}

function clientTextsFor(locale: string) {
  const { language, texts } = textsFor(locale);
  return { language, texts: { ...texts, ...CLIENT_TEXTS[language]! } };
}

function NextSteps({ offer, texts }: { offer: ClientOffer; texts: ClientTexts & ProposalTexts }) {
  const { proposal, workspace, venue, payments } = offer;
  const deposit = payments.find(({ kind }) => kind === 'deposit');
  const amount = deposit && formatMoney(deposit.amount, proposal.currency, workspace.locale);
  const due = deposit?.dueDate ? ` (${texts.dueOn(formatDay(deposit.dueDate, workspace.locale))})` : '';
  return (
    <section class="section client-next">
      <h2>{texts.next}</h2>
      <ol>
        <li>{texts.nextContact(venue.name)}</li>
        {amount && <li>{texts.nextDeposit(`${amount}${due}`)}</li>}
      </ol>
    </section>
  );
}

function Answers({ isDisabled, children }: { isDisabled?: boolean; children: ComponentChildren }) {
  // A fieldset disables every control in it.
  return isDisabled ? (
    <fieldset class="client-answer" disabled>
      {children}
    </fieldset>
  ) : (
    <div class="client-answer">{children}</div>
  );
}

export function GonePage() {
  const { texts } = textsFor('en');
  return (
    <html lang="en">
      <Head title={texts.gone} />
      <body>
        <div class="frame narrow">
          <main id="main">
            <h1>{texts.gone}</h1>
            <p>{texts.goneHint}</p>
          </main>
        </div>
      </body>
    </html>
  );
}

function Outcome({ proposal, workspace, texts }: LinkedProposal & { texts: ProposalTexts }) {
  const { locale, timeZone } = workspace;
  const when = (instant: Date | null) => formatInstant(instant!, locale, timeZone);
  if (proposal.status === 'accepted') {
    const { acceptance, acceptedAt } = proposal;
    return <Notice kind="success">{texts.accepted(acceptance!.name, when(acceptedAt))}</Notice>;
  }
  if (proposal.status === 'declined') return <Notice>{texts.declined(when(proposal.declinedAt))}</Notice>;
  if (proposal.status === 'expired') {
    return <Notice kind="warning">{texts.expired(formatDay(proposal.validUntil!, locale))}</Notice>;
  }
  return proposal.isOpen ? null : <Notice kind="warning">{texts.withdrawn}</Notice>;
}

interface AnswerFormProps {
  proposal: LinkedProposal['proposal'];
  form: FormInput;
  texts: ProposalTexts & ClientTexts;
}

function AcceptForm({ proposal, venue, form, texts }: AnswerFormProps & { venue: string }) {
  const problem = (field: string) =>
    form.problem(field) && (
      <p class="problem" id={`${field}-problem`}>
        {field === 'name' && form.value(field).trim() !== '' ? texts.tooLong : texts.required}
      </p>
    );
  const faulty = (field: string) =>
    form.problem(field) ? { 'aria-invalid': 'true' as const, 'aria-describedby': `${field}-problem` } : {};
  return (
    <section class="section client-accept" id="accept">
      <h2>{texts.acceptTitle}</h2>
      <Form action={`/proposals/${proposal.publicToken!}/accept#accept`} label={texts.acceptTitle}>
        <div class="field">
          <label for="name">{texts.yourName}</label>
          {problem('name')}
          <input
            class="control"
            id="name"
            name="name"
            type="text"
            autocomplete="name"
            maxlength={200}
            required
            value={form.value('name')}
            {...faulty('name')}
          />
        </div>
        <div class="field">
          {problem('consent')}
          <div class="choice">
            <input type="checkbox" id="consent" name="consent" value="yes" required {...faulty('consent')} />
            <label for="consent">{texts.consent(venue)}</label>
          </div>
        </div>
        <Button>{texts.accept}</Button>
      </Form>
    </section>
  );
}

function DeclineForm({ proposal, form, texts }: AnswerFormProps) {
  const isUnsure = form.problem('decline') !== undefined;
  const isLong = form.problem('reason') !== undefined;
  return (
    <details class="section" id="decline-form" open={isUnsure || form.value('reason') !== ''}>
      <summary>{texts.declineTitle}</summary>
      <Form action={`/proposals/${proposal.publicToken!}/decline#decline-form`} label={texts.declineTitle}>
        <div class="field">
          <label for="reason">{texts.reason}</label>
          {isLong && (
            <p class="problem" id="reason-problem">
              {texts.tooLong}
            </p>
          )}
          <textarea
            class="control"
            id="reason"
            name="reason"
            rows={3}
            maxlength={1000}
            {...(isLong && { 'aria-invalid': 'true' as const, 'aria-describedby': 'reason-problem' })}
          >
            {form.value('reason')}
          </textarea>
        </div>
        <div class="field">
          {isUnsure && (
            <p class="problem" id="decline-problem">
              {texts.required}
            </p>
          )}
          <div class="choice">
            <input
              type="checkbox"
              id="decline"
              name="decline"
              value="yes"
              required
              {...(isUnsure && { 'aria-invalid': 'true' as const, 'aria-describedby': 'decline-problem' })}
            />
            <label for="decline">{texts.declineConsent}</label>
          </div>
        </div>
        <Button kind="secondary">{texts.decline}</Button>
      </Form>
    </details>
  );
}
