//! What a class's own code says of a member, and what is said of one that it does not know.

use crate::object_model::ModelError;
use crate::object_model::class::Class;
use crate::set::tables::plain_members::{self, Plain};

/// What a class's own code says to a read: `None` leaves the member to the store.
pub(super) type Answer<T> = Option<Result<T, ModelError>>;

/// Whether a member without behaviour of its own is one that is stored.
pub(super) fn plain(class: &Class, member: &str) -> Result<(), ModelError> {
    let name = format_args!("{}.{member}", class.name);
    match plain_members::plain(&class.name, member) {
        Some(Plain::Stored(_)) => Ok(()),
        Some(Plain::NeedsLive(why)) => Err(ModelError::Unable(format!("{name} needs a running Live: {why}"))),
        None => Err(ModelError::Unable(format!("{name} is not available on the Set inside the device"))),
    }
}

pub(super) fn unknown(class: &Class, member: &str) -> ModelError {
    ModelError::UnknownMember { class: class.name.clone(), member: member.to_owned() }
}
