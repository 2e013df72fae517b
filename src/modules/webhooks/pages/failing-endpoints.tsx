import { Injectable } from '@nestjs/common';
import { Link } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { isAdmin, type OverviewPart, type OverviewRequest, refOf, settingsPath } from '../../shell';
import { WebhookQueries } from '../application/webhook-queries';
import { EndpointTrouble } from './webhook-state';
import { endpointPath } from './webhooks-page';

const MOST_SHOWN = 5;

/** The endpoints that receive no events, on the first page of a workspace. Only admins can do something about it. */
@Injectable()
export class FailingEndpoints implements OverviewPart {
  readonly place = 'notice';
  readonly position = 0;

  constructor(private readonly queries: WebhookQueries) {}

  async content({ area }: OverviewRequest) {
    if (!isAdmin(area)) return null;
    const failing = await this.queries.failing(refOf(area), MOST_SHOWN + 1);
    if (failing.length === 0) return null;
    return (
      <Notice kind="warning" title="Webhook endpoints receive no events">
        <ul>
          {failing.slice(0, MOST_SHOWN).map((endpoint) => (
            <li>
              <Link to={endpointPath(area, endpoint)}>{endpoint.description ?? endpoint.url}</Link>:{' '}
              {endpoint.status === 'enabled' ? 'failing since' : 'disabled.'}{' '}
              <EndpointTrouble endpoint={endpoint} zone={area.workspace.timeZone} />
            </li>
          ))}
          {failing.length > MOST_SHOWN && (
            <li>
              <Link to={settingsPath(area, `${area.mode}/webhooks`)}>All endpoints</Link>
            </li>
          )}
        </ul>
      </Notice>
    );
  }
}
