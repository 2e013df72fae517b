import { Button } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Pagination } from '../../../platform/pages/components/navigation';
import { EmptyState } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { Time } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage } from '../../shell';
import type { DeliveryStatus, DeliveryView } from '../domain/delivery';
import type { EndpointDetails } from '../domain/webhook-endpoint';
import { answerOf, DeliveryState } from './webhook-state';
import { endpointPath } from './webhooks-page';

export const OUTCOMES: readonly { value: DeliveryStatus | ''; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
];

interface DeliveryTableProps {
  area: Area;
  endpoint: EndpointDetails;
  deliveries: readonly DeliveryView[];
  caption: string;
}

export function DeliveryTable({ area, endpoint, deliveries, caption }: DeliveryTableProps) {
  const { timeZone } = area.workspace;
  return (
    <DataTable
      caption={caption}
      hideCaption
      rows={deliveries}
      columns={[
        {
          title: 'Event',
          isHeader: true,
          cell: ({ id, eventType }) => (
            <Link to={endpointPath(area, endpoint, `deliveries/${id}`)}>{eventType}</Link>
          ),
        },
        { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} zone={timeZone} seconds /> },
        { title: 'Status', cell: (delivery) => <DeliveryState endpoint={endpoint} delivery={delivery} /> },
        { title: 'Attempts', numeric: true, cell: ({ attempts }) => attempts.length },
        {
          title: 'Last response',
          cell: ({ attempts }) => {
            const last = attempts.at(-1);
            return last ? answerOf(last) : 'None yet';
          },
        },
      ]}
    />
  );
}

interface DeliveriesPageProps {
  area: Area;
  endpoint: EndpointDetails;
  deliveries: readonly DeliveryView[];
  status: DeliveryStatus | undefined;
  nextCursor: string | null;
  /** After a recovery: the number of deliveries that are resent. */
  recovered?: number;
}

export function DeliveriesPage(props: DeliveriesPageProps) {
  const { area, endpoint, deliveries, status = '', nextCursor, recovered } = props;
  const path = endpointPath(area, endpoint, 'deliveries');
  return (
    <SettingsPage
      area={area}
      place=":mode/webhooks"
      title="Deliveries"
      intro={
        <>
          Sent to <Link to={endpointPath(area, endpoint)}>{endpoint.url}</Link> in the last 30 days, newest
          first.
        </>
      }
      done={recovered === undefined ? undefined : recoveryWords(recovered)}
    >
      <Form action={path} method="get" layout="inline" label="Filter">
        <SelectField
          form={new FormInput({ status })}
          name="status"
          label="Status"
          options={OUTCOMES}
          autoSubmit
        />
        <Button kind="secondary">Show</Button>
      </Form>
      {deliveries.length === 0 ? (
        <EmptyState title="No matching deliveries">
          {status === '' ? 'Send a test event from the endpoint’s page.' : 'Choose another status.'}
        </EmptyState>
      ) : (
        <DeliveryTable area={area} endpoint={endpoint} deliveries={deliveries} caption="Deliveries" />
      )}
      <Pagination
        older={nextCursor ? `${path}?${status && `status=${status}&`}cursor=${nextCursor}` : undefined}
      />
    </SettingsPage>
  );
}

function recoveryWords(count: number): string {
  if (count === 0) return 'No deliveries have failed since then, so nothing is resent.';
  return count === 1 ? 'One delivery is being resent.' : `${count} deliveries are being resent.`;
}
