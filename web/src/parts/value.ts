// Values of settings as a person says them.
import { words } from "../words/later";

export function toldValue(value: string): string {
  const plain = /^".*"$/.test(value) ? value.slice(1, -1) : value;
  if (/^true$/i.test(plain)) return words("setting.yes");
  return /^(false|nil)$/i.test(plain) ? words("setting.no") : plain;
}
