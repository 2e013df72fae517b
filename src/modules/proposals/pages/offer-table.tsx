import type { ClientOffer } from '../application/client-offers';
import { headOf, type LineGroup } from '../domain/offer-parts';
import type { ClientTexts } from './client-texts';
import { formatDay, formatMoney } from './money-format';
import type { ProposalTexts } from './proposal-texts';

interface OfferTableProps {
  offer: Pick<ClientOffer, 'proposal' | 'workspace' | 'groups' | 'taxes' | 'payments'>;
  texts: ProposalTexts & ClientTexts;
}

/** The prices, group by group, with taxes and payments. */
export function OfferTable({ offer, texts }: OfferTableProps) {
  const { proposal, workspace, groups } = offer;
  const { currency } = proposal;
  const money = (amount: number) => formatMoney(amount, currency, workspace.locale);
  return (
    <>
      <table class="offer">
        <caption class="visually-hidden">{texts.proposal}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.item}</th>
            <th scope="col" class="numeric offer-tax">
              {texts.tax}
            </th>
            <th scope="col" class="numeric">
              {texts.amount} <span class="offer-note">{texts.exclTax}</span>
            </th>
          </tr>
        </thead>
        {groups.map((group, index) => (
          <Group
            group={group}
            // Below a group, lines without one would look like its own.
            title={group.title ?? (index > 0 ? texts.otherLines : null)}
            isAlone={groups.length === 1}
            {...{ offer, texts, money }}
          />
        ))}
      </table>
      <Sums {...{ offer, texts, money }} />
      <Payments {...{ offer, texts, money }} />
    </>
  );
}

type PartProps = OfferTableProps & { money: (amount: number) => string };

type GroupProps = PartProps & { group: LineGroup; title: string | null; isAlone: boolean };

function Group({ group, title, isAlone, offer, texts, money }: GroupProps) {
  const { locale } = offer.workspace;
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 });
  return (
    <tbody>
      {title && (
        <tr class="offer-group">
          <th scope="rowgroup" dir="auto">
            {title}
          </th>
          <td class="offer-tax" />
          <td class="numeric">{!isAlone && money(group.subtotal)}</td>
        </tr>
      )}
      {group.lines.map(({ description, quantity, unit, unitAmount, taxRate, amount }) => {
        const { head, rest } = headOf(description);
        return (
          <tr>
            <th scope="row">
              <strong dir="auto">{head}</strong>
              {rest && (
                <span class="pre offer-rest" dir="auto">
                  {rest}
                </span>
              )}
              {(quantity !== 1 || unit !== 'flat') && (
                <span class="offer-note">
                  {number.format(quantity)} × {`${money(unitAmount)} ${texts.units[unit]}`.trim()}
                </span>
              )}
            </th>
            <td class="numeric offer-tax">{percent.format(taxRate / 100)}</td>
            <td class="numeric">{money(amount)}</td>
          </tr>
        );
      })}
    </tbody>
  );
}

function Sums({ offer, texts, money }: PartProps) {
  const { subtotal, total } = offer.proposal;
  const percent = new Intl.NumberFormat(offer.workspace.locale, {
    style: 'percent',
    maximumFractionDigits: 3,
  });
  return (
    <dl class="sums">
      <div>
        <dt>
          {texts.subtotal} <span class="offer-note">{texts.exclTax}</span>
        </dt>
        <dd>{money(subtotal)}</dd>
      </div>
      {offer.taxes.map(({ rate, net, tax }) => (
        <div>
          <dt>{texts.taxOn(percent.format(rate / 100), money(net))}</dt>
          <dd>{money(tax)}</dd>
        </div>
      ))}
      <div class="sum">
        <dt>
          {texts.total} <span class="offer-note">{texts.inclTax}</span>
        </dt>
        <dd>{money(total)}</dd>
      </div>
    </dl>
  );
}

function Payments({ offer, texts, money }: PartProps) {
  if (offer.payments.length === 0) return null;
  return (
    <section class="payments">
      <h3>{texts.payments}</h3>
      <ol>
        {offer.payments.map(({ kind, amount, dueDate }) => (
          <li>
            <span>
              {texts[kind]}
              {dueDate && (
                <span class="offer-note">{texts.dueOn(formatDay(dueDate, offer.workspace.locale))}</span>
              )}
            </span>
            <strong>{money(amount)}</strong>
          </li>
        ))}
      </ol>
    </section>
  );
}
