import { getMetadataStorage } from 'class-validator';

type Collect = ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas'];

/**
 * class-validator collects the rules of a class anew for each object, by looking through those of every class. They don't
 * change once the class is there, so this makes it collect them once, for all but validations by groups.
 */
export function rememberRules(): void {
  const storage = getMetadataStorage();
  const collect: Collect = storage.getTargetValidationMetadatas.bind(storage);
  const known = new Map<unknown, ReturnType<Collect>>();
  storage.getTargetValidationMetadatas = (type, schema, always, strictGroups, groups) => {
    if (schema || always || strictGroups || groups?.length) {
      return collect(type, schema, always, strictGroups, groups);
    }
    let rules = known.get(type);
    if (!rules) known.set(type, (rules = collect(type, schema, always, strictGroups, groups)));
    return rules;
  };
}
