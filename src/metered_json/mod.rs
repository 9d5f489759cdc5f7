//! What a text costs in memory while it is read into values. A text of a few megabytes may be packed into kilobytes and
//! take gigabytes as values: many small objects are large ones in memory. Each value is therefore charged for before it
//! is made, and what there may be grows with what was read.
//!
//! The types stay as they are: between them and the text stands a deserializer that passes everything on.

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

/// Bytes of memory that a text may take whatever its length.
const FREE_BYTES: u64 = 96 << 20;
/// Bytes of memory that each byte of a text may take beyond.
const BYTES_PER_BYTE: u64 = 5;

/// Bytes that are charged for: about what values take, and what holds them.
const STRUCT: u64 = 48;
const FIELD: u64 = 16;
const ELEMENT: u64 = 16;
/// Maps keep their entries by the dozen, and of those that came in order each dozen is half full.
const MAP: u64 = 900;
const ENTRY: u64 = 224;
/// The same of what is kept as JSON: a value there takes 72 bytes whatever it is, and room is made for several at once.
const JSON_LIST: u64 = 240;
const JSON_ELEMENT: u64 = 72;
const JSON_OBJECT: u64 = 400;
const JSON_ENTRY: u64 = 256;

/// What was taken of what there may be.
#[derive(Debug, Default)]
pub struct Meter {
    /// Bytes of the text that were read.
    read: Rc<Cell<u64>>,
    free: u64,
    taken: Cell<u64>,
}

/// The words of an error that tell it from others.
const TOO_MUCH: &str = "would take far more memory";

impl Meter {
    /// Whether a text was refused for what it would take.
    pub fn refused(error: &serde_json::Error) -> bool {
        error.to_string().contains(TOO_MUCH)
    }

    /// So many bytes of memory.
    pub fn of(bytes: u64) -> Meter {
        Meter { free: bytes, ..Meter::default() }
    }

    /// As much as a Set of that length may take.
    pub fn growing_with(read: Rc<Cell<u64>>) -> Meter {
        Meter { read, ..Meter::of(FREE_BYTES) }
    }

    /// Adds bytes that were read of a text whose length is not known beforehand.
    pub fn has_read(&self, bytes: u64) {
        self.read.set(self.read.get().saturating_add(bytes));
    }

    fn charge<E: Error>(&self, bytes: u64) -> Result<(), E> {
        let taken = self.taken.get().saturating_add(bytes);
        self.taken.set(taken);
        if taken > self.free.saturating_add(self.read.get().saturating_mul(BYTES_PER_BYTE)) {
            return Err(E::custom(format!("it {TOO_MUCH} than a Set of its size does")));
        }
        Ok(())
    }
}

/// Reads a value from a text, which `meter` charges for.
pub fn from_slice<T: DeserializeOwned>(json: &[u8], meter: &Meter) -> serde_json::Result<T> {
    let mut text = serde_json::Deserializer::from_slice(json);
    let value = T::deserialize(Metered::new(&mut text, meter))?;
    text.end().map(|()| value)
}

/// A deserializer, or a part of one, that charges for what is read.
pub struct Metered<'m, T> {
    inner: T,
    meter: &'m Meter,
    /// Fields of the struct that is asked for.
    fields: Option<u64>,
    /// Whatever comes is taken: it is kept as JSON.
    is_json: bool,
}

impl<'m, T> Metered<'m, T> {
    pub fn new(inner: T, meter: &'m Meter) -> Self {
        Metered { inner, meter, fields: None, is_json: false }
    }

    fn with<U>(&self, inner: U) -> Metered<'m, U> {
        Metered { inner, meter: self.meter, fields: None, is_json: self.is_json }
    }

    fn with_fields<U>(&self, inner: U, fields: usize) -> Metered<'m, U> {
        Metered { fields: Some(fields as u64), ..self.with(inner) }
    }
}

macro_rules! pass_on {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            let visitor = self.with(visitor);
            self.inner.$method(visitor)
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Metered<'_, D> {
    type Error = D::Error;

    pass_on! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64
        deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf deserialize_option
        deserialize_unit deserialize_seq deserialize_map deserialize_identifier
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = Metered { is_json: true, ..self.with(visitor) };
        self.inner.deserialize_any(visitor)
    }

    /// What is not kept costs nothing.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_ignored_any(visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor);
        self.inner.deserialize_unit_struct(name, visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor);
        self.inner.deserialize_newtype_struct(name, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor);
        self.inner.deserialize_tuple(len, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor);
        self.inner.deserialize_tuple_struct(name, len, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.with_fields(visitor, fields.len());
        self.inner.deserialize_struct(name, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor);
        self.inner.deserialize_enum(name, variants, visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visit_plain {
    ($($method:ident: $kind:ty,)*) => {
        $(fn $method<E: Error>(self, value: $kind) -> Result<V::Value, E> {
            self.inner.$method(value)
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Metered<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.inner.expecting(f)
    }

    visit_plain! {
        visit_bool: bool, visit_i64: i64, visit_i128: i128, visit_u64: u64, visit_u128: u128, visit_f64: f64,
        visit_char: char,
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        self.meter.charge(text.len() as u64)?;
        self.inner.visit_str(text)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<V::Value, E> {
        self.meter.charge(text.len() as u64)?;
        self.inner.visit_borrowed_str(text)
    }

    fn visit_string<E: Error>(self, text: String) -> Result<V::Value, E> {
        self.meter.charge(text.len() as u64)?;
        self.inner.visit_string(text)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<V::Value, E> {
        self.meter.charge(bytes.len() as u64)?;
        self.inner.visit_bytes(bytes)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let inner = self.with(inner);
        self.inner.visit_some(inner)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let inner = self.with(inner);
        self.inner.visit_newtype_struct(inner)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.meter.charge(if self.is_json { JSON_LIST } else { STRUCT })?;
        let items = self.with(items);
        self.inner.visit_seq(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        let cost = match self.fields {
            _ if self.is_json => JSON_OBJECT,
            Some(fields) => STRUCT + fields * FIELD,
            None => MAP,
        };
        self.meter.charge(cost)?;
        let members = Metered { fields: self.fields, ..self.with(members) };
        self.inner.visit_map(members)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        let variant = self.with(variant);
        self.inner.visit_enum(variant)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Metered<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let deserializer = self.with(deserializer);
        self.inner.deserialize(deserializer)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Metered<'_, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, A::Error> {
        self.meter.charge(if self.is_json { JSON_ELEMENT } else { ELEMENT })?;
        let seed = self.with(seed);
        self.inner.next_element_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Metered<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        // The fields of a struct were charged for with it; of another object each member is kept by its name.
        match self.fields {
            None if self.is_json => self.meter.charge(JSON_ENTRY)?,
            None => self.meter.charge(ENTRY)?,
            Some(_) => {}
        }
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        let seed = self.with(seed);
        self.inner.next_value_seed(seed)
    }
}

impl<'de, 'm, A: EnumAccess<'de>> EnumAccess<'de> for Metered<'m, A> {
    type Error = A::Error;
    type Variant = Metered<'m, A::Variant>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self::Variant), A::Error> {
        let (meter, is_json) = (self.meter, self.is_json);
        let (value, variant) = self.inner.variant_seed(seed)?;
        Ok((value, Metered { is_json, ..Metered::new(variant, meter) }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Metered<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        let seed = self.with(seed);
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.with(visitor);
        self.inner.tuple_variant(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.with_fields(visitor, fields.len());
        self.inner.struct_variant(fields, visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde::de::IgnoredAny;
    use std::collections::BTreeMap;

    #[derive(Deserialize)]
    struct Thing {
        #[serde(default)]
        _list: Vec<Thing>,
        #[serde(default)]
        _name: String,
    }

    fn read<T: for<'de> Deserialize<'de>>(text: &str, free: u64) -> Result<T, String> {
        let meter = Meter { free, ..Meter::growing_with(Rc::new(Cell::new(text.len() as u64))) };
        let mut json = serde_json::Deserializer::from_str(text);
        T::deserialize(Metered::new(&mut json, &meter)).map_err(|why| why.to_string())
    }

    #[test]
    fn small_objects_are_charged_for() {
        let hostile = format!("[{}{{}}]", "{},".repeat(1_000));
        assert!(read::<Vec<Thing>>(&hostile, 1_000_000).is_ok());
        assert!(read::<Vec<Thing>>(&hostile, 1_000).is_err_and(|why| why.contains("far more memory")));
        assert!(read::<serde_json::Value>(&hostile, 1_000).is_err());
        assert!(read::<IgnoredAny>(&hostile, 0).is_ok(), "what is not kept costs nothing");
        let zeros = format!("[{}0]", "0,".repeat(1_000));
        assert!(read::<Vec<u8>>(&zeros, 20_000).is_ok());
        assert!(read::<serde_json::Value>(&zeros, 60_000).is_err(), "each takes 72 bytes");
        assert!(read::<serde_json::Value>(&zeros, 70_000).is_ok());
        let keys: String = (0..1_000).map(|n| format!("\"{n}\":0,")).collect();
        assert!(read::<serde_json::Value>(&format!("{{{keys}\"z\":0}}"), 200_000).is_err(), "and so do names");
        assert!(read::<BTreeMap<String, u8>>(&format!("{{{keys}\"z\":0}}"), 170_000).is_err());
        let named = format!("[{}{{}}]", r#"{"_name":"as long as names are in a Set"},"#.repeat(1_000));
        assert!(read::<Vec<Thing>>(&named, 1_000).is_ok(), "five times its size");
        assert!(read::<Vec<Thing>>(r#"[{"_list":[{}]},7]"#, 1_000).is_err_and(|why| why.contains("invalid type")));
    }
}
