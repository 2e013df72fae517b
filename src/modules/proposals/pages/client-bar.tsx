import type { ClientOffer } from '../application/client-offers';
import type { ClientTexts } from './client-texts';
import { formatDay, formatMoney } from './money-format';
import { Picture } from './picture';
import type { ProposalTexts } from './proposal-texts';

interface ClientBarProps {
  offer: ClientOffer;
  texts: ProposalTexts & ClientTexts;
  isPreview?: boolean;
}

/** The total, how long it can be accepted, and the way there: beside the proposal, or at the foot of the screen. */
export function ClientBar({ offer, texts, isPreview }: ClientBarProps) {
  const { proposal, workspace, daysLeft, payments } = offer;
  const { locale } = workspace;
  const { validUntil, currency } = proposal;
  const deposit = payments.find(({ kind }) => kind === 'deposit');
  return (
    <aside class="client-bar" aria-label={texts.total}>
      <p class="client-bar-total">
        <span class="quiet">
          {texts.total} {texts.inclTax}
        </span>
        <strong>{formatMoney(proposal.total, currency, locale)}</strong>
      </p>
      {daysLeft !== null && daysLeft >= 0 && (
        <p class="client-bar-days">
          <strong>{texts.daysLeft(daysLeft)}</strong>
          <span class="quiet client-wide">{texts.validUntil(formatDay(validUntil!, locale))}</span>
        </p>
      )}
      {deposit && (
        <p class="quiet client-wide">
          {texts.deposit}: {formatMoney(deposit.amount, currency, locale)}
        </p>
      )}
      {proposal.isOpen &&
        (isPreview ? (
          <span class="button primary" aria-disabled="true">
            {texts.accept}
          </span>
        ) : (
          <a class="button primary" href="#accept">
            {texts.accept}
          </a>
        ))}
    </aside>
  );
}

/** Whom the client asks, and who makes the offer. */
export function ClientContact({ offer, texts }: ClientBarProps) {
  const { contact, venue } = offer;
  if (!contact && !venue.address && !venue.taxNumber) return null;
  return (
    <section class="client-part client-contact">
      <h2>{texts.contact}</h2>
      <div>
        {contact?.photo && <Picture image={contact.photo} sizes="96px" class="client-photo" />}
        {contact && (
          <address>
            {contact.name && <strong dir="auto">{contact.name}</strong>}
            {contact.phone && (
              <a href={`tel:${contact.phone.replace(/[^\d+]/g, '')}`}>
                <bdi>{contact.phone}</bdi>
              </a>
            )}
            {contact.email && (
              <a href={`mailto:${encodeURIComponent(contact.email).replace('%40', '@')}`}>
                <bdi>{contact.email}</bdi>
              </a>
            )}
          </address>
        )}
        <address>
          <strong dir="auto">{venue.name}</strong>
          {venue.address && (
            <span class="pre" dir="auto">
              {venue.address}
            </span>
          )}
          {venue.taxNumber && (
            <span>
              {texts.taxNumber}: <bdi>{venue.taxNumber}</bdi>
            </span>
          )}
        </address>
      </div>
    </section>
  );
}
