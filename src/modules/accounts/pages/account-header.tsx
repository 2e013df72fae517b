import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';

/** In the header of every page for signed-in people: their account and the sign-out button. */
export function AccountHeader({ email }: { email: string }) {
  return (
    <>
      <Link to="/account">{email}</Link>
      <Form action="/sign-out" layout="inline">
        <Button kind="secondary">Sign out</Button>
      </Form>
    </>
  );
}
