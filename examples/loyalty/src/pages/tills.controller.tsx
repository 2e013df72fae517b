import { Controller, Get } from '@nestjs/common';
import {
  type Area,
  DescriptionList,
  HtmlPage,
  InArea,
  Notice,
  refOf,
  SettingsPage,
  SettingsPages,
} from 'gala';
import { TillTokens } from '../application/till-tokens';
import { MOST_AT_A_TILL } from '../domain/till';

/** Settings → Venue → Tills: the token of the venue's tills. Anyone who has it can redeem points, so only admins see it. */
@Controller('settings/:workspace/:mode/loyalty-tills')
@SettingsPages('admin')
export class TillsController {
  constructor(private readonly tokens: TillTokens) {}

  @Get()
  show(@InArea() area: Area): HtmlPage {
    return new HtmlPage(<TillsPage area={area} token={this.tokens.of(refOf(area))} />);
  }
}

function TillsPage({ area, token }: { area: Area; token: string | undefined }) {
  return (
    <SettingsPage area={area} place=":mode/loyalty-tills" title="Tills">
      {token ? (
        <DescriptionList
          items={[
            { term: 'Token', details: <code>{token}</code> },
            { term: 'Redeems', details: `At most ${MOST_AT_A_TILL} points at a time` },
          ]}
        />
      ) : (
        <Notice kind="warning">
          Tills can’t connect yet. Set LOYALTY_TILL_SECRET and restart the service.
        </Notice>
      )}
    </SettingsPage>
  );
}
